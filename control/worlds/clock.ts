import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { CLOCK_MODES, type ClockSetting, MAX_TIME, settingAt } from '../../db/clock.ts'
import { endsWithin } from '../../db/timers.ts'
import type { World } from '../../db/world.ts'
import type { Worlds } from '../../db/worlds.ts'
import type { DueEntry } from '../../domains/due.ts'
import type { Dispatcher } from '../../domains/notifications/delivery/dispatcher.ts'
import { type ChangeClock, moveClock } from '../../domains/notifications/delivery/move_clock.ts'
import { listNotifications } from '../../domains/notifications/queries.ts'
import { controlCall, controlConfig, PagingQuery, StrictBody, viewable } from '../../domains/shared/control_schemas.ts'
import { DURATION_MESSAGE, readDuration } from '../../domains/shared/durations.ts'
import { conflict } from '../../domains/shared/errors.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import { routesOf } from '../../domains/shared/routes.ts'
import {
  errorResponses,
  Instant,
  Integer,
  OneOf,
  parseInstantParameter,
  ResponseObject,
} from '../../domains/shared/schemas.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { recordClockChange } from './clock_changes.ts'
import { AdvancedClock, Clock, MAX_DUE_NOW, MovingClock } from './clock_schemas.ts'
import { afterNow, Due, DueGroup, DueKind, findDue, groupDue, presentDue } from './due.ts'

const config = controlConfig('Clock', 'The time in a world')

/** Limit of `wait`, real time. */
const MAX_WAIT_SECONDS = 30
const Wait = Type.Optional(
  Integer(
    0,
    MAX_WAIT_SECONDS,
    `Maximum time to wait until the move is complete, in seconds of real time; default: ${MAX_WAIT_SECONDS}`,
    { examples: [30] },
  ),
)

const present = ({ clock }: World) => ({ mode: clock.mode, now: utcMillis(clock.now()) })

const checkedSetting = (mode: ClockSetting['mode'], now: number, name: string): ClockSetting => {
  if (now < 0 || now > MAX_TIME) throw badRequest(`${name}: the world’s time must stay between the years 1970 and 9999`)
  return settingAt(mode, now)
}

const countPending = async ({ read }: World): Promise<number> =>
  (await listNotifications(read, { status: 'pending' }, { limit: 0, offset: 0 })).total

interface Options {
  worlds: Worlds
  dispatcher: Dispatcher
}

/** Moves the clock, and notifies the event streams. */
async function moveAndRecord(world: World, dispatcher: Dispatcher, change: ChangeClock): Promise<void> {
  let before = 0
  await moveClock(world, dispatcher, (setting, now) => {
    before = now
    return change(setting, now)
  })
  recordClockChange(world, before)
}

interface Move extends Options {
  reply: FastifyReply
  wait: number | undefined
}

/** Moves the clock, and waits for at most `wait` seconds; then answers 202, and the move continues. */
async function answerMove(
  { worlds, dispatcher, reply, wait }: Move,
  change: ChangeClock,
  presentMore: () => object = () => ({}),
) {
  const { world } = reply.request
  // Steps publish events, which may be sent during the move.
  const isQuiet = (await countPending(world)) === 0 && (await dispatcher.nextStep(world.read)) === null
  worlds.retain(world)
  const moved = moveAndRecord(world, dispatcher, change).finally(() => worlds.release(world))
  if (isQuiet) {
    await moved
    return { ...present(world), ...presentMore() }
  }
  if (await endsWithin((wait ?? MAX_WAIT_SECONDS) * 1000, moved)) return { ...present(world), ...presentMore() }
  return reply.code(202).send({ ...present(world), pending: await countPending(world), ...presentMore() })
}

/** The setting of a clock that has moved to `now`, ms. Throws 400. */
const advancedSetting = (mode: ClockSetting['mode'], now: number, name: string): ClockSetting =>
  checkedSetting(mode === 'real' ? 'shifted' : mode, now, name)

/** Moves the clock to the next due instant; 409 if there is none. */
function moveToNext(move: Move) {
  const { world } = move.reply.request
  let due: DueEntry[] = []
  return answerMove(
    move,
    async ({ mode }, after) => {
      const [next] = await findDue(world, { after, until: MAX_TIME }, 1)
      if (!next) throw conflict('to: nothing is due in this world')
      due = await findDue(world, { after, until: next.at }, MAX_DUE_NOW)
      return advancedSetting(mode, next.at, 'to')
    },
    () => ({ due: due.map(presentDue) }),
  )
}

const setting: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  app.get('/clock', controlCall(viewable(config), { summary: 'Read the clock', answer: Clock }), async ({ world }) =>
    present(world),
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
    async ({ body: { mode, now, wait } }, reply) => {
      if (mode === 'real' && now !== undefined) throw badRequest('now: real time cannot be set; use shifted or frozen')
      const instant = now === undefined ? undefined : parseInstantParameter('now', now)
      return answerMove({ ...options, reply, wait }, (_, present) => checkedSetting(mode, instant ?? present, 'now'))
    },
  )
}

const moves: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  app.post(
    '/clock/advance',
    {
      config,
      schema: {
        summary: 'Move the clock by a duration, or to what is due next',
        description:
          'A frozen clock remains frozen; a running one continues from the new time, with mode shifted. `to` moves to the first instant of GET /clock/due; 409 if nothing is due.',
        body: StrictBody(
          {
            by: Type.Optional(
              Type.Unsafe<string | number>({
                type: ['string', 'integer'],
                description:
                  'Duration in weeks, days, hours, minutes and seconds, as ISO 8601 (`PT2H`) or short (`2h`), or as an integer in ms; with a minus the clock goes back',
                examples: ['PT2H'],
                'x-message': DURATION_MESSAGE,
              }),
            ),
            to: Type.Optional(OneOf(['next'], { description: 'Instead of `by`', examples: ['next'] })),
            wait: Wait,
          },
          { examples: [{ by: 'PT2H' }, { to: 'next' }] },
        ),
        response: { 200: AdvancedClock, 202: MovingClock, ...errorResponses(400, 404, 409) },
      },
    },
    async ({ body: { by, to, wait } }, reply) => {
      if (to !== undefined) {
        if (by !== undefined) throw badRequest('to: cannot be combined with by')
        return moveToNext({ ...options, reply, wait })
      }
      if (by === undefined) throw badRequest(`by: is required, ${DURATION_MESSAGE}`)
      const ms = readDuration(by)
      if (ms === undefined) throw badRequest(`by: ${DURATION_MESSAGE}`)
      return answerMove({ ...options, reply, wait }, ({ mode }, present) => advancedSetting(mode, present + ms, 'by'))
    },
  )

  app.get(
    '/clock/due',
    controlCall(viewable(config), {
      summary: 'List what the time in the world will bring about',
      description:
        'Attempts of notifications, expiry of tokens, codes and leads, leads that searches begin or cease to answer, unanswered questions that will be gone; in the order of time.',
      querystring: Type.Object({
        limit: { ...PagingQuery.limit, description: 'Number of entries; 0: only the total' },
        until: Type.Optional(Instant('Only until this instant', '2026-03-09T00:00:00Z')),
        kind: Type.Optional({ ...DueKind, description: 'Only entries of this kind; `groups` has all' }),
      }),
      answer: ResponseObject(
        {
          total: Type.Integer({ description: 'Number of entries in the whole list' }),
          groups: Type.Array(DueGroup, { description: 'The number of entries by effect, of all kinds' }),
          results: Type.Array(Due, { description: 'The first entries' }),
        },
        { title: 'DueList', description: 'What is due, in the order of time' },
      ),
    }),
    async ({ world, query: { limit, until, kind } }) => {
      const period = afterNow(world, until === undefined ? MAX_TIME : parseInstantParameter('until', until))
      const results = limit === 0 ? [] : await findDue(world, period, limit, kind)
      const groups = await groupDue(world, period)
      const total = groups.reduce((sum, one) => (kind === undefined || one.kind === kind ? sum + one.count : sum), 0)
      return { total, groups, results: results.map(presentDue) }
    },
  )
}

export default routesOf(setting, moves)
