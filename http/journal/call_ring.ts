import { Ring } from '../../db/ring.ts'
import type { Entry } from './journal_entry.ts'

/** When a call that repeats another was received and answered. */
type Times = Pick<Entry, 'at' | 'world_time' | 'ms'>

/**
 * The latest calls of the emulated API. A call that is the same as another and has the same answer shares its entry, because V8
 * would copy an own one twice before it is dropped. Only its times are stored.
 */
export class CallRing extends Ring<Entry> {
  /** `at`, `world_time` and `ms` of the shared entries, three at each place. */
  readonly #times: number[] = []

  /** Adds a call that repeats the one with this entry. */
  appendAgain(entry: Entry, { at, world_time, ms }: Times): void {
    const times = this.#times
    const place = 3 * this.placeOf(this.next)
    // Without gaps V8 stores the bare numbers.
    while (times.length < place) times.push(0)
    times[place] = at
    times[place + 1] = world_time
    times[place + 2] = ms
    this.append(entry)
  }

  override get(id: number): Entry | undefined {
    const entry = super.get(id)
    if (!entry || entry.id === id) return entry
    const place = 3 * this.placeOf(id)
    const [at, world_time, ms] = this.#times.slice(place) as [number, number, number]
    return { ...entry, id, at, world_time, ms }
  }
}
