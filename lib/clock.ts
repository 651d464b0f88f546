import { readDuration } from '../domains/shared/durations.ts'
import { isoOf } from './instants.ts'
import type { AnswerOf, BodyOf, Clock, Control, Instant } from './types.ts'

/** The clock of a world, through control calls. */
export function createClock({ call }: Control): Clock {
  const set = (body: BodyOf<'PUT /clock'>) => waitForClock(call('PUT /clock', { body }))
  const advance = (by: number) => waitForClock(call('POST /clock/advance', { body: { by } }))

  /** A control call waits only for a limited time; the next one waits for the rest of the move. */
  async function waitForClock(pendingCall: Promise<AnswerOf<'PUT /clock'>>): Promise<Date> {
    const clock = await pendingCall
    return 'pending' in clock ? advance(0) : new Date(clock.now)
  }

  return {
    async now() {
      return new Date((await call('GET /clock')).now)
    },
    async set(instant) {
      const { mode } = await call('GET /clock')
      return set({ mode: mode === 'real' ? 'shifted' : mode, now: iso(instant) })
    },
    advance: async (by) => advance(msOf(by)),
    freeze: async (instant) => set({ mode: 'frozen', ...(instant !== undefined && { now: iso(instant) }) }),
    resume: () => set({ mode: 'shifted' }),
    real: () => set({ mode: 'real' }),
  }
}

const iso = (instant: Instant): string => isoOf('sandbox: instant', instant)

function msOf(by: string | number): number {
  const ms = readDuration(by)
  if (ms === undefined) throw new TypeError(`advance: ${by} is no duration such as PT2H, 2h30m or whole ms`)
  return ms
}
