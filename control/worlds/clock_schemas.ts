import { type Static, Type } from '@sinclair/typebox'
import { CLOCK_MODES, type ClockSetting, timeIn } from '../../db/clock.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import { Instant, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { Due } from './due.ts'

/** Limit of the entries that a move to the next due instant answers. */
export const MAX_DUE_NOW = 100

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

const DueNow = Type.Optional(
  Type.Array(Due, { description: `With \`to\`: what was due at that instant, at most ${MAX_DUE_NOW}` }),
)
export const AdvancedClock = ResponseObject(
  { ...Clock.properties, due: DueNow },
  { title: 'AdvancedClock', description: 'The time in the world after a move' },
)

export const MovingClock = ResponseObject(
  {
    ...Clock.properties,
    pending: Type.Integer({ description: 'Pending notifications' }),
    due: DueNow,
  },
  {
    title: 'TravellingClock',
    description: 'A move that takes longer than the call waits',
  },
)
