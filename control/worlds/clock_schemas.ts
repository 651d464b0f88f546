import { type Static, Type } from '@sinclair/typebox'
import { CLOCK_MODES, type ClockSetting, timeIn } from '../../db/clock.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import { Instant, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'

export const Clock = ResponseObject(
  {
    mode: OneOf([...CLOCK_MODES], {
      description: 'real: real time; shifted: running with an offset; frozen: stopped',
      examples: ['frozen'],
    }),
    now: Instant('The time in the world', '2026-03-02T12:00:00.000Z'),
  },
  { title: 'Clock', description: 'The time in the world' },
)
type Clock = Static<typeof Clock>

export const presentSetting = (setting: ClockSetting): Clock => ({
  mode: setting.mode,
  now: utcMillis(timeIn(setting)),
})

export const MovingClock = ResponseObject(
  {
    ...Clock.properties,
    pending: Type.Integer({ description: 'Pending notifications' }),
  },
  {
    title: 'TravellingClock',
    description: 'A move that takes longer than the call waits',
  },
)
