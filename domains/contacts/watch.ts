import { realNow } from '../../db/clock.ts'
import type { Q } from '../../db/engine.ts'
import { keptFor } from '../../db/kept.ts'
import { Ring } from '../../db/ring.ts'
import { setTimeout } from '../../db/timers.ts'
import type { Generation } from '../../db/world.ts'
import type { ContactKind, StatisticKind } from './tables.ts'

/** The contacts of a listing since the last such sum. */
interface ContactSum {
  item_id: string
  /** The seller. */
  user_id: number
  phone_views: number
  messaging_clicks: number
  questions: number
}

interface WatchedContact extends Pick<ContactSum, 'item_id' | 'user_id'> {
  kind: ContactKind
  count?: number
}

/** Real ms between two sums of a listing. */
const INTERVAL_MS = 1000
/** Listings with contacts in an interval whose sums are stored. */
const MAX_SUMS = 1000

const COUNTERS = {
  phone_views: 'phone_views',
  whatsapp: 'messaging_clicks',
  questions: 'questions',
} as const satisfies Record<StatisticKind, keyof ContactSum>

const watchOf = keptFor((_: Generation) => new ContactWatch())

/** Sums the contacts of a state of a world while its ring has listeners. */
export const contactSumsOf = (generation: Generation): Ring<ContactSum> => watchOf(generation).sums

/** Adds the contacts of a unit to the sums, once it is committed. Does nothing unless they are watched. */
export function watchContacts(
  { effects }: Q,
  generation: Generation | undefined,
  contacts: readonly WatchedContact[],
): void {
  const watch = generation && watchOf(generation)
  if (!watch?.sums.isWatched || !effects) return
  effects.onCommit ??= []
  effects.onCommit.push(() => watch.add(contacts))
}

class ContactWatch {
  readonly sums = new Ring<ContactSum>(MAX_SUMS)
  readonly #pending = new Map<string, ContactSum>()
  /** Contacts that were left out because too many listings had some. */
  #lost = 0
  #lastFlush = 0
  #isFlushScheduled = false

  add(contacts: readonly WatchedContact[]): void {
    for (const { kind, item_id, user_id, count = 1 } of contacts) {
      // Too many to be listed.
      if (kind === 'visits') continue
      const sum = this.#pending.get(item_id) ?? { item_id, user_id, phone_views: 0, messaging_clicks: 0, questions: 0 }
      sum[COUNTERS[kind]] += count
      if (this.#pending.size < MAX_SUMS || this.#pending.has(item_id)) this.#pending.set(item_id, sum)
      else this.#lost++
    }
    if (this.#isFlushScheduled) return
    this.#isFlushScheduled = true
    setTimeout(() => this.#flush(), Math.max(0, this.#lastFlush + INTERVAL_MS - realNow())).unref()
  }

  #flush(): void {
    this.#isFlushScheduled = false
    this.#lastFlush = realNow()
    if (this.#lost > 0) this.sums.skip(this.#lost)
    for (const sum of this.#pending.values()) this.sums.append(sum)
    this.#pending.clear()
    this.#lost = 0
  }
}
