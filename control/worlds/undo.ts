import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { World } from '../../db/world.ts'
import type { AutomaticSnapshot, Worlds } from '../../db/worlds.ts'
import {
  controlCall,
  controlConfig,
  keepsState,
  PagingQuery,
  StrictBody,
  viewable,
} from '../../domains/shared/control_schemas.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import { Instant, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { controlError, notFound } from '../../http/errors/control_errors.ts'
import { enterNewState } from '../../http/request_world.ts'
import { redactedPath } from '../requests/schemas.ts'
import { presentSnapshot, Snapshot } from './snapshots.ts'
import type { UndoCounter, Undone } from './undo_counter.ts'

const config = controlConfig('Undo', 'Automatic snapshots before control calls and writes of programs')

const count = (description: string) => Type.Integer({ description, examples: [1] })
const UndoneCall = ResponseObject(
  {
    kind: OneOf(['request', 'control'], {
      description: 'A recorded request, or a control call',
      examples: ['request'],
    }),
    id: Type.Integer({ description: 'Its number in the journal', examples: [17] }),
    method: Type.String({ description: 'Method', examples: ['POST'] }),
    path: Type.String({ description: 'Path without base address and query', examples: ['/answers'] }),
    real_at: Instant('Real time at which it arrived', '2026-03-02T12:00:00.000Z'),
  },
  { title: 'UndoneCall', description: 'A call that is taken back' },
)
const Undo = ResponseObject(
  {
    restored: Snapshot,
    removed: ResponseObject(
      {
        requests: count('Successful writes of the emulated API since the snapshot'),
        changes: count('Published changes since the snapshot'),
        control_calls: count('Successful control calls since the snapshot that changed the world'),
        snapshots: count('Later automatic snapshots'),
      },
      { description: 'What is taken back' },
    ),
    calls: Type.Array(UndoneCall, {
      description: 'The first `limit` of these requests and control calls, as far as they are recorded',
    }),
  },
  { title: 'Undo', description: 'What an undo restores and takes back' },
)
const DEFAULT_CALLS = 10
const UndoQuery = {
  name: Type.Optional(
    Type.String({
      description: 'Name of the automatic snapshot; default: the newest',
      examples: ['auto.3'],
      'x-message': 'must be the name of an automatic snapshot',
    }),
  ),
  automatic: Type.Optional(
    OneOf(['control', 'program'], {
      description: 'Without `name`: the newest before such a call',
      examples: ['control'],
    }),
  ),
  limit: Type.Optional({ ...PagingQuery.limit, default: DEFAULT_CALLS, description: 'Calls to list' }),
}
type Selection = Partial<Pick<AutomaticSnapshot, 'name' | 'automatic'>>

const presentUndo = (
  restored: AutomaticSnapshot,
  { removed, requests, controlCalls }: Undone,
  limit = DEFAULT_CALLS,
): Static<typeof Undo> => ({
  restored: presentSnapshot(restored),
  removed,
  calls: [
    ...controlCalls.map(({ id, method, path, at }) => ({ kind: 'control' as const, id, method, path, at })),
    ...requests.map((entry) => {
      const { id, method, at } = entry
      return { kind: 'request' as const, id, method, path: redactedPath(entry), at }
    }),
  ]
    .sort((a, b) => a.at - b.at)
    .slice(0, limit)
    .map(({ at, ...call }) => ({ ...call, real_at: utcMillis(at) })),
})

const snapshotNotFound = (name: string) => notFound(`Automatic snapshot ${name} not found`)
const noSnapshot = () =>
  controlError(
    409,
    'conflict',
    'There is no automatic snapshot: control calls with the header x-sandbox-snapshot leave one, and writes of programs unless --auto-snapshots is 0',
  )

/** The automatic snapshot with a name, or the newest (of a kind). Throws 404 or 409. */
function findSnapshot({ automaticSnapshots }: Worlds, { id }: World, { name, automatic }: Selection) {
  const isSelected = (one: AutomaticSnapshot) =>
    name === undefined ? automatic === undefined || one.automatic === automatic : one.name === name
  const snapshot = automaticSnapshots.list(id).findLast(isSelected)
  if (!snapshot) throw name === undefined ? noSnapshot() : snapshotNotFound(name)
  return snapshot
}

interface Options {
  worlds: Worlds
  undoCounter: UndoCounter
}

const undo: FastifyPluginAsyncTypebox<Options> = async (app, { worlds, undoCounter }) => {
  app.get(
    '/undo',
    controlCall(viewable(config), {
      summary: 'What an undo would take back',
      querystring: Type.Object(UndoQuery),
      answer: Undo,
      errors: [409],
    }),
    async ({ world, query }) => {
      const snapshot = findSnapshot(worlds, world, query)
      return presentUndo(snapshot, await undoCounter.countSince(world, snapshot), query.limit)
    },
  )

  app.post(
    '/undo',
    controlCall(keepsState(config), {
      summary: 'Restore the state before a call',
      description:
        'Restores data, clock and tokens of an automatic snapshot, and what `reset` restores; the recorded requests and control calls stay, and `marks` of GET /requests has the undo. It takes back everything that happened in the world since, also what others did, and removes the snapshot and all later automatic ones. A snapshot is taken before each changing control call with the header `x-sandbox-snapshot: LABEL` (percent-encoded unless ASCII, at most 100 characters), if the call succeeds; its answer has the name in the same header, or `none` if the world is too large. Another is taken before the first write of a program after one second without any, if the server has `--auto-snapshots`. The server has at most 20 of the first kind for each world, `--auto-snapshots` of the second, and 256 MiB of all, without the oldest, until it ends.',
      body: StrictBody(UndoQuery, { default: {} }),
      answer: Undo,
      errors: [409],
    }),
    async (request) => {
      const { world, body } = request
      const snapshot = findSnapshot(worlds, world, body)
      const undone = await undoCounter.countSince(world, snapshot)
      if (!(await worlds.automaticSnapshots.undo(snapshot))) throw snapshotNotFound(snapshot.name)
      await enterNewState(worlds, request)
      return presentUndo(snapshot, undone, body.limit)
    },
  )
}
export default undo
