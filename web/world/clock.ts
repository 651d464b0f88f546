import { computed, signal } from '@preact/signals'
import type { Schemas } from '../../lib/types.ts'
import { read } from './client.ts'
import { keepReading } from './load.ts'
import { onEvents } from './stream.ts'

interface WorldClock {
  mode: Schemas['Clock']['mode']
  /** World time in ms at `readAt`. */
  now: number
  /** Time of this browser, as performance.now() gives it. */
  readAt: number
}

/** The clock of the world; undefined until it was read. */
export const clock = signal<WorldClock | undefined>(undefined)
/** Ticks once a second while the clock of the world runs. */
const tick = signal(0)

/** The time in the world, in ms. Components that read it render again each second. */
export const worldNow = computed<number | undefined>(() => {
  void tick.value
  const { value } = clock
  return value && value.now + (value.mode === 'frozen' ? 0 : performance.now() - value.readAt)
})

/** Shows an answer of the server without waiting for its event. */
export const setClock = ({ mode, now }: Schemas['Clock']) => {
  clock.value = { mode, now: Date.parse(now), readAt: performance.now() }
}

/** Keeps the clock up to date; called once. */
export function followClock(): void {
  onEvents((events) => {
    for (const event of events) if (event.type === 'clock') setClock(event)
  })
  keepReading(() => read('GET /clock'), setClock)
  setInterval(() => {
    if (!document.hidden && clock.peek()?.mode !== 'frozen') tick.value++
  }, 1000)
}
