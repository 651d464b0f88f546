import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { World } from '../../db/world.ts'
import type { Checkpoint, Worlds } from '../../db/worlds.ts'
import {
  controlConfig,
  keepsState,
  Page,
  PagingQuery,
  StrictBody,
  viewable,
} from '../../domains/shared/control_schemas.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import { errorResponses, Id, Instant, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { controlError, notFound } from '../../http/errors/control_errors.ts'
import { redactedPath } from '../requests/schemas.ts'
import type { UndoCounter, Undone } from './undo_counter.ts'

const config = controlConfig('Undo', 'Checkpoints before control calls and writes of programs')

const CheckpointId = Id('Number of the checkpoint; later ones have higher numbers', 3)
const Kind = (description: string) => OneOf(['control', 'program'], { description, examples: ['control'] })
const CheckpointKind = Kind('Whether it was taken before a control call, or before a write of a program')
const Label = Type.String({
  description: 'Label that the control call gave, or the call of the program, such as `POST /answers`',
  examples: ['Ask a question'],
})
const Now = Instant('World time of the state', '2026-03-02T12:00:00.000Z')

const ListedCheckpoint = ResponseObject(
  {
    id: CheckpointId,
    kind: CheckpointKind,
    label: Label,
    real_at: Instant('Real time at which it was taken', '2026-03-02T12:00:00.000Z'),
    now: Now,
    bytes: Type.Integer({ description: 'Size of its files' }),
  },
  { title: 'Checkpoint', description: 'The state of a world before a call' },
)
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
    restored: ResponseObject(
      { id: CheckpointId, kind: CheckpointKind, label: Label, now: Now },
      { description: 'The checkpoint' },
    ),
    removed: ResponseObject(
      {
        requests: count('Successful writes of the emulated API since the checkpoint'),
        changes: count('Published changes since the checkpoint'),
        control_calls: count('Successful control calls since the checkpoint that changed the world'),
        checkpoints: count('Later checkpoints'),
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
  id: Type.Optional({ ...CheckpointId, description: 'Number of the checkpoint; default: the newest' }),
  kind: Type.Optional(Kind('Without `id`: the newest of this kind')),
  limit: Type.Optional({ ...PagingQuery.limit, default: DEFAULT_CALLS, description: 'Calls to list' }),
}
type Selection = Partial<Pick<Checkpoint, 'id' | 'kind'>>

const presentCheckpoint = ({ id, kind, label, takenAt, now, bytes }: Checkpoint): Static<typeof ListedCheckpoint> => ({
  id,
  kind,
  label,
  real_at: utcMillis(takenAt),
  now: utcMillis(now),
  bytes,
})

const presentUndo = (
  { id, kind, label, now }: Checkpoint,
  { removed, requests, controlCalls }: Undone,
  limit = DEFAULT_CALLS,
): Static<typeof Undo> => ({
  restored: { id, kind, label, now: utcMillis(now) },
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

const checkpointNotFound = (id: number) => notFound(`Checkpoint ${id} not found`)
const noCheckpoint = () =>
  controlError(
    409,
    'conflict',
    'There is no checkpoint: control calls with the header x-sandbox-checkpoint take one, and writes of programs unless --checkpoints is 0',
  )

/** The checkpoint with an id, or the newest (of a kind). Throws 404 or 409. */
function findCheckpoint({ checkpoints }: Worlds, world: World, { id, kind }: Selection): Checkpoint {
  const all = checkpoints.list(world.id)
  const checkpoint = all.findLast((one) => (id === undefined ? kind === undefined || one.kind === kind : one.id === id))
  if (!checkpoint) throw id === undefined ? noCheckpoint() : checkpointNotFound(id)
  return checkpoint
}

interface Options {
  worlds: Worlds
  undoCounter: UndoCounter
}

const undo: FastifyPluginAsyncTypebox<Options> = async (app, { worlds, undoCounter }) => {
  app.get(
    '/checkpoints',
    {
      config: viewable(config),
      schema: {
        summary: 'List the checkpoints of the world, newest first',
        querystring: Type.Object(PagingQuery),
        response: { 200: Page(ListedCheckpoint, 'Checkpoints'), ...errorResponses(400, 404) },
      },
    },
    async ({ world, query: { limit, offset } }) => {
      const all = worlds.checkpoints.list(world.id).reverse()
      return {
        paging: { total: all.length, limit, offset },
        results: all.slice(offset, offset + limit).map(presentCheckpoint),
      }
    },
  )

  app.get(
    '/undo',
    {
      config: viewable(config),
      schema: {
        summary: 'What an undo would take back',
        querystring: Type.Object(UndoQuery),
        response: { 200: Undo, ...errorResponses(400, 404, 409) },
      },
    },
    async ({ world, query }) => {
      const checkpoint = findCheckpoint(worlds, world, query)
      return presentUndo(checkpoint, await undoCounter.countSince(world, checkpoint), query.limit)
    },
  )

  app.post(
    '/undo',
    {
      config: keepsState(config),
      schema: {
        summary: 'Restore the state before a call',
        description:
          'Restores data, clock and tokens of a checkpoint, and what `reset` restores; the recorded requests and control calls stay, and `marks` of GET /requests has the undo. It takes back everything that happened in the world since, also what others did, and removes the checkpoint and all later ones. A checkpoint is taken before each changing control call with the header `x-sandbox-checkpoint: LABEL` (percent-encoded unless ASCII, at most 100 characters), if the call succeeds; its answer has the number in the same header, or `none` if the world is too large. Another is taken before the first write of a program after one second without any, if the server has `--checkpoints`. The server has at most 20 of the first kind for each world, `--checkpoints` of the second, and 256 MiB of all, without the oldest, until it ends.',
        body: StrictBody(UndoQuery, { default: {} }),
        response: { 200: Undo, ...errorResponses(400, 404, 409) },
      },
    },
    async ({ world, body }) => {
      const checkpoint = findCheckpoint(worlds, world, body)
      const undone = await undoCounter.countSince(world, checkpoint)
      if (!(await worlds.checkpoints.restore(checkpoint))) throw checkpointNotFound(checkpoint.id)
      return presentUndo(checkpoint, undone, body.limit)
    },
  )
}
export default undo
