import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { CLOCK_MODES, type ClockSetting, MAX_TIME, settingAt } from '../../db/clock.ts'
import { endsWithin } from '../../db/timers.ts'
import type { World } from '../../db/world.ts'
import type { Worlds } from '../../db/worlds.ts'
import type { Dispatcher } from '../../domains/notifications/delivery/dispatcher.ts'
import { moveClock } from '../../domains/notifications/delivery/move_clock.ts'
import { listNotifications } from '../../domains/notifications/queries.ts'
import { controlConfig, StrictBody, viewable } from '../../domains/shared/control_schemas.ts'
import { DURATION_MESSAGE, readDuration } from '../../domains/shared/durations.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import { errorResponses, Instant, OneOf, parseInstantParameter } from '../../domains/shared/schemas.ts'
import { badRequest } from '../../http/errors.ts'
import { recordClockChange } from './clock_changes.ts'
import { Clock, MovingClock } from './clock_schemas.ts'

const config = controlConfig('Clock', 'The time in a world')

/** Limit of `wait`, real time. */
const MAX_WAIT_SECONDS = 30
const Wait = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: MAX_WAIT_SECONDS,
    description: `Maximum time to wait until the move is complete, in seconds of real time; default: ${MAX_WAIT_SECONDS}`,
    examples: [30],
    'x-message': `must be an integer from 0 to ${MAX_WAIT_SECONDS}`,
  }),
)

const present = ({ clock }: World) => ({ mode: clock.mode, now: utcMillis(clock.now()) })

const checkedSetting = (mode: ClockSetting['mode'], now: number, name: string): ClockSetting => {
  if (now < 0 || now > MAX_TIME) throw badRequest(`${name}: the world’s time must stay between the years 1970 and 9999`)
  return settingAt(mode, now)
}

/** The new setting, given the present one and the world time, ms. */
type ClockMove = (setting: ClockSetting, now: number) => ClockSetting
const countPending = async ({ read }: World): Promise<number> =>
  (await listNotifications(read, { status: 'pending' }, { limit: 0, offset: 0 })).total

interface Options {
  worlds: Worlds
  dispatcher: Dispatcher
}

/** Moves the clock, and notifies the event streams. */
async function moveAndRecord(world: World, dispatcher: Dispatcher, change: ClockMove): Promise<void> {
  let before = 0
  await moveClock(world, dispatcher, (setting, now) => {
    before = now
    return change(setting, now)
  })
  recordClockChange(world, before)
}

/** Moves the clock, and waits for at most `wait` seconds; then answers 202, and the move continues. */
async function answerMove(
  { worlds, dispatcher }: Options,
  world: World,
  reply: FastifyReply,
  wait: number | undefined,
  change: ClockMove,
) {
  const total = await countPending(world)
  worlds.retain(world)
  const moved = moveAndRecord(world, dispatcher, change).finally(() => worlds.release(world))
  if (total === 0) {
    await moved
    return present(world)
  }
  if (await endsWithin((wait ?? MAX_WAIT_SECONDS) * 1000, moved)) return present(world)
  return reply.code(202).send({ ...present(world), pending: await countPending(world) })
}

const clock: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  app.get(
    '/clock',
    {
      config: viewable(config),
      schema: { summary: 'Read the clock', response: { 200: Clock, ...errorResponses(404) } },
    },
    async ({ world }) => present(world),
  )

  app.put(
    '/clock',
    {
      config,
      schema: {
        summary: 'Set, freeze or resume the clock',
        description:
          '`now` sets the time, forward or back; without it the clock keeps its time. `real` is the time of the server. Tokens, codes and leads expire by this clock, and become valid again when it moves back. When the clock moves forward, due notifications are sent at their own time before the call answers; pending ones move back with the clock.',
        body: StrictBody({
          mode: OneOf([...CLOCK_MODES], { description: 'New mode', examples: ['frozen'] }),
          now: Type.Optional(Instant('The time to set; not with `real`', '2026-03-02T12:00:00Z')),
          wait: Wait,
        }),
        response: { 200: Clock, 202: MovingClock, ...errorResponses(400, 404) },
      },
    },
    async ({ world, body: { mode, now, wait } }, reply) => {
      if (mode === 'real' && now !== undefined) throw badRequest('now: real time cannot be set; use shifted or frozen')
      const instant = now === undefined ? undefined : parseInstantParameter('now', now)
      return answerMove(options, world, reply, wait, (_, present) => checkedSetting(mode, instant ?? present, 'now'))
    },
  )

  app.post(
    '/clock/advance',
    {
      config,
      schema: {
        summary: 'Move the clock by a duration',
        description: 'A frozen clock remains frozen; a running one continues from the new time, with mode shifted.',
        body: StrictBody({
          by: Type.Unsafe<string | number>({
            type: ['string', 'integer'],
            description:
              'Duration in weeks, days, hours, minutes and seconds, as ISO 8601 (`PT2H`) or short (`2h`), or in ms; with a minus the clock goes back',
            examples: ['PT2H'],
            'x-message': DURATION_MESSAGE,
          }),
          wait: Wait,
        }),
        response: { 200: Clock, 202: MovingClock, ...errorResponses(400, 404) },
      },
    },
    async ({ world, body: { by, wait } }, reply) => {
      const ms = readDuration(by)
      if (ms === undefined) throw badRequest(`by: ${DURATION_MESSAGE}`)
      return answerMove(options, world, reply, wait, ({ mode }, present) =>
        checkedSetting(mode === 'real' ? 'shifted' : mode, present + ms, 'by'),
      )
    },
  )
}
export default clock
