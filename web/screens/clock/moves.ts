import type { Schemas } from '../../../lib/types.ts'
import { attempt, notify } from '../../parts/toasts.tsx'
import { dateTimeOf } from '../../words/time.ts'
import { change } from '../../world/client.ts'
import { clock, setClock } from '../../world/clock.ts'
import { words } from '../words.ts'

type Mode = Schemas['Clock']['mode']
type Moved = Schemas['Clock'] & { pending?: number }

/** Makes a call that moves the clock, and shows where it is then. Its error is reported. */
async function report(call: () => Promise<Moved>): Promise<void> {
  const w = words().clock
  try {
    const moved = await attempt(call)
    setClock(moved)
    notify(moved.pending === undefined ? w.moved(dateTimeOf(moved.now)) : w.sending(moved.pending))
  } catch {
    // The call has reported its error.
  }
}

export const setMode = (mode: Mode): Promise<void> =>
  report(() => change(words().clock[mode], 'PUT /clock', { body: { mode } }))

/** Without changing whether it runs; real time that is moved becomes shifted. */
export const moveTo = (instant: number): Promise<void> => {
  const mode = clock.peek()?.mode === 'frozen' ? 'frozen' : 'shifted'
  return report(() =>
    change(words().clock.move, 'PUT /clock', { body: { mode, now: new Date(instant).toISOString() } }),
  )
}

/** `1h`, `-1d` */
export const moveBy = (by: string): Promise<void> =>
  report(() => change(words().clock.move, 'POST /clock/advance', { body: { by } }))

export const moveToNext = (): Promise<void> =>
  report(() => change(words().clock.nextDue, 'POST /clock/advance', { body: { to: 'next' } }))

/** Keeps the time in the world. */
export const toggleFrozen = (): Promise<void> => setMode(clock.peek()?.mode === 'frozen' ? 'shifted' : 'frozen')
