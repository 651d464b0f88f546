import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { AnswerOf, AnyEvent } from '../../lib/types.ts'
import { read } from './client.ts'
import { keepReading, onMatchingEvents } from './load.ts'

export type World = AnswerOf<'GET /overview'>

/** What the world contains, in numbers; undefined until it was read. */
export const overview = signal<World | undefined>(undefined)

const readOverview = keepReading(
  () => read('GET /overview'),
  (answer) => {
    overview.value = answer
  },
)

/** Components that show all of it. */
let users = 0

/** All of it, up to date while a component shows it. */
export function useOverview(): typeof overview.value {
  useEffect(() => {
    users++
    if (overview.peek()) readOverview()
    return () => {
      users--
    }
  }, [])
  return overview.value
}

/** The header shows the name of the world and the number of faults: ordinary calls do not change them. */
const concernsHeader = (event: AnyEvent): boolean =>
  event.type === 'request' ? event.faults.length > 0 : event.type === 'control'

/** Keeps what the header shows up to date; called once. */
export function followOverview(): void {
  onMatchingEvents((event) => users > 0 || concernsHeader(event), readOverview)
}
