import type { FastifyRequest, onSendHookHandler, preHandlerHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import type { AutomaticSnapshot, Worlds } from '../../db/worlds.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { redactTokens } from '../../http/journal/redaction.ts'
import type { UndoCounter } from './undo_counter.ts'

const HEADER = 'x-sandbox-snapshot'
/** Of one world. */
const MAX_SNAPSHOTS = 20
const MAX_LABEL_CHARACTERS = 100
const LABEL_MESSAGE = `${HEADER}: must be 1 to ${MAX_LABEL_CHARACTERS} characters, percent-encoded unless they are visible ASCII`

interface Options {
  worlds: Worlds
  undoCounter: UndoCounter
}

/** Takes a snapshot of the world before a control call that has the header; a call that fails leaves none. */
export default fp<Options>(
  async (app, { worlds: { automaticSnapshots }, undoCounter }) => {
    const taken = new WeakMap<FastifyRequest, AutomaticSnapshot>()

    const take: preHandlerHookHandler = (request, reply, done) => {
      const sent = request.headers[HEADER]
      if (sent === undefined) return done()
      const label = readLabel(String(sent))
      if (label === undefined) return done(badRequest(LABEL_MESSAGE))
      const copy = async () => {
        const { world } = request
        const state = await undoCounter.describeState(world)
        const snapshot = await automaticSnapshots.take(world.id, { automatic: 'control', label, ...state })
        if (snapshot) taken.set(request, snapshot)
        reply.header(HEADER, snapshot?.name ?? 'none')
      }
      copy().then(() => done(), done)
    }
    const settle: onSendHookHandler = (request, reply, payload, done) => {
      const snapshot = taken.get(request)
      if (snapshot && reply.statusCode < 400) automaticSnapshots.keep(snapshot, MAX_SNAPSHOTS)
      else if (snapshot) {
        automaticSnapshots.discard(snapshot)
        reply.header(HEADER, 'none')
      }
      done(null, payload)
    }

    app.addHook('onRoute', (route) => {
      if (route.method === 'GET' || route.config?.keepsState) return
      // After validation, so that a rejected call copies nothing.
      route.preHandler = [take, ...[route.preHandler ?? []].flat()]
      route.onSend = [settle, ...[route.onSend ?? []].flat()]
    })
  },
  { name: 'snapshots before calls', dependencies: ['worlds'] },
)

/** Visible ASCII and spaces, as every client can send them; undefined if it is no label. Without tokens. */
function readLabel(sent: string): string | undefined {
  if (!/^[\x20-\x7e]+$/.test(sent)) return undefined
  try {
    const label = decodeURIComponent(sent)
    const isValid = [...label].length <= MAX_LABEL_CHARACTERS && !/[\p{Cc}\p{Cs}]/u.test(label)
    return isValid ? redactTokens(label) : undefined
  } catch {
    return undefined
  }
}
