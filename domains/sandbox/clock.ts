import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { CLOCK_MODES, LAST, type Setting, settingAt } from '../../db/clock.ts'
import { moveClock, type World } from '../../db/world.ts'
import { badRequest } from '../../plugins/errors.ts'
import type { Dispatcher } from '../notifications/dispatcher.ts'
import { Answer, failures, Instant, instantOf, OneOf } from '../shared/atoms.ts'
import { utcMillis } from '../shared/instants.ts'
import { readDuration } from './durations.ts'
import { body, Sandbox } from './shapes.ts'

const Clock = Answer(
  {
    mode: OneOf([...CLOCK_MODES], {
      description: 'real: as this machine’s; shifted: it runs, but elsewhere; frozen: it stands',
      examples: ['frozen'],
    }),
    now: Instant('The time in the world', '2026-03-02T12:00:00.000Z'),
  },
  { title: 'Clock', description: 'What time it is in the world' },
)

const present = ({ clock }: World) => ({ mode: clock.mode, now: utcMillis(clock.now()) })

const at = (setting: Setting['mode'], now: number, name: string): Setting => {
  if (now < 0 || now > LAST) throw badRequest(`${name}: the world’s time must stay between the years 1970 and 9999`)
  return settingAt(setting, now)
}

const clock: FastifyPluginAsyncTypebox<{ dispatcher: Dispatcher }> = async (app, { dispatcher }) => {
  app.get(
    '/clock',
    { config: Sandbox.clock, schema: { summary: 'What time it is', response: { 200: Clock, ...failures(404) } } },
    async ({ world }) => present(world),
  )

  app.put(
    '/clock',
    {
      config: Sandbox.clock,
      schema: {
        summary: 'Set, freeze or resume it',
        description:
          'With `now` it is that time, forwards or back; without, it goes on from the present one. `real` is this machine’s time. Tokens, codes and leads end by this clock, and begin again when it goes back.',
        body: body({
          mode: OneOf([...CLOCK_MODES], { description: 'How it goes on', examples: ['frozen'] }),
          now: Type.Optional(Instant('The time to set; not with `real`', '2026-03-02T12:00:00Z')),
        }),
        response: { 200: Clock, ...failures(400, 404) },
      },
    },
    async ({ world, body: { mode, now } }) => {
      if (mode === 'real' && now !== undefined) throw badRequest('now: real time cannot be set; use shifted or frozen')
      const asked = now === undefined ? undefined : instantOf('now', now)
      await moveClock(world, (_, present) => at(mode, asked ?? present, 'now'))
      dispatcher.wake(world.id)
      return present(world)
    },
  )

  app.post(
    '/clock/advance',
    {
      config: Sandbox.clock,
      schema: {
        summary: 'Move it by a duration',
        description: 'A frozen clock stands there; a running one runs on from there, shifted.',
        body: body({
          by: Type.String({
            description:
              'ISO 8601 duration, in weeks, days, hours, minutes and seconds; with a minus in front it goes back',
            examples: ['PT2H'],
            'x-message': 'must be an ISO 8601 duration, for example PT2H or P1DT30M',
          }),
        }),
        response: { 200: Clock, ...failures(400, 404) },
      },
    },
    async ({ world, body: { by } }) => {
      const ms = readDuration(by)
      if (ms === undefined)
        throw badRequest(
          'by: must be an ISO 8601 duration in weeks, days, hours, minutes and seconds, for example PT2H or P1DT30M',
        )
      await moveClock(world, ({ mode }, present) => at(mode === 'real' ? 'shifted' : mode, present + ms, 'by'))
      dispatcher.wake(world.id)
      return present(world)
    },
  )
}
export default clock
