import type { FastifyRequest, onSendHookHandler, preHandlerHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import type { World } from '../../db/world.ts'
import type { Checkpoint, Worlds } from '../../db/worlds.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { redactTokens } from '../../http/journal/redaction.ts'
import type { Templates } from '../../scenarios/templates.ts'
import { populateAsCreated } from './create_world.ts'
import type { UndoCounter } from './undo_counter.ts'

const HEADER = 'x-sandbox-checkpoint'
/** Of one world. */
const MAX_CHECKPOINTS = 20
const MAX_LABEL_CHARACTERS = 100
const LABEL_MESSAGE = `${HEADER}: must be 1 to ${MAX_LABEL_CHARACTERS} characters, percent-encoded unless they are visible ASCII`

interface Options {
  worlds: Worlds
  templates: Templates
  undoCounter: UndoCounter
}

/** Takes a checkpoint of the world before a call that has the header; a call that fails leaves none. */
export default fp<Options>(
  async (app, { worlds: { checkpoints }, templates, undoCounter }) => {
    const taken = new WeakMap<FastifyRequest, Checkpoint>()

    const take: preHandlerHookHandler = (request, reply, done) => {
      const sent = request.headers[HEADER]
      if (sent === undefined) return done()
      const label = readLabel(String(sent))
      if (label === undefined) return done(badRequest(LABEL_MESSAGE))
      const copy = async () => {
        const { world } = request
        const state = await describeState(world, { templates, undoCounter })
        const checkpoint = await checkpoints.take(world.id, { kind: 'control', label, ...state })
        if (checkpoint) taken.set(request, checkpoint)
        reply.header(HEADER, checkpoint?.id ?? 'none')
      }
      copy().then(() => done(), done)
    }
    const settle: onSendHookHandler = (request, reply, payload, done) => {
      const checkpoint = taken.get(request)
      if (checkpoint && reply.statusCode < 400) checkpoints.keep(checkpoint, MAX_CHECKPOINTS)
      else if (checkpoint) {
        checkpoints.discard(checkpoint)
        reply.header(HEADER, 'none')
      }
      done(null, payload)
    }

    app.addHook('onRoute', (route) => {
      if (route.method === 'GET' || route.method === 'HEAD' || route.config?.keepsState) return
      // After validation, so that a rejected call copies nothing.
      route.preHandler = [take, ...[route.preHandler ?? []].flat()]
      route.onSend = [settle, ...[route.onSend ?? []].flat()]
    })
  },
  { name: 'checkpoints', dependencies: ['worlds'] },
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

/** What a checkpoint notes of the state that it copies. */
export const describeState = async (
  world: World,
  { templates, undoCounter }: { templates: Templates; undoCounter: UndoCounter },
) => ({
  now: world.clock.now(),
  populate: populateAsCreated(world, templates),
  ...(await undoCounter.positionOf(world)),
})
