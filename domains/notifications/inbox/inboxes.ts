import { realNow } from '../../../db/clock.ts'
import type { Generation, World } from '../../../db/world.ts'

/** How an inbox answers notifications. */
export interface InboxAnswer {
  /** HTTP status. */
  status: number
  /** Real time before the answer. */
  ms: number
}

/** A notification that an inbox has received. */
export interface InboxEntry extends InboxAnswer {
  /** Counts from 1 in each generation of the world. */
  id: number
  /** World time, ms. */
  at: number
  /** Real time, ms. */
  realAt: number
  deliveryId: number
  application_id: number
  topic: string
  /** JSON. */
  body: string
}

/** The receiver inside the server, of one generation of a world. */
export interface Inbox {
  answer: InboxAnswer
  /** The latest ones, oldest first. */
  readonly entries: readonly InboxEntry[]
  /** Entries that were evicted. */
  readonly dropped: number
  clear(): void
}

/** The inboxes of all worlds, in bounded memory. */
export interface Inboxes {
  of(generation: Generation): Inbox
  /** Stores a notification, with the answer that its sender will get. */
  receive(world: World, received: Omit<InboxEntry, 'id' | 'realAt' | keyof InboxAnswer>): InboxAnswer
}

export const DEFAULT_ANSWER: InboxAnswer = { status: 200, ms: 0 }

/** Notifications of one world, and of all. One takes less than 1 KiB. */
export const MAX_ENTRIES = 1000
const MAX_TOTAL_ENTRIES = 20_000

interface StoredInbox extends Inbox {
  entries: InboxEntry[]
  dropped: number
  lastId: number
}

export function openInboxes(maxTotal = MAX_TOTAL_ENTRIES): Inboxes {
  const inboxes = new WeakMap<Generation, StoredInbox>()
  /** Those with entries; the one that received last is last. */
  const inboxesByUse = new Set<StoredInbox>()
  let total = 0

  function inboxOf(generation: Generation): StoredInbox {
    const existing = inboxes.get(generation)
    if (existing) return existing
    const created: StoredInbox = {
      answer: DEFAULT_ANSWER,
      entries: [],
      dropped: 0,
      lastId: 0,
      clear() {
        total -= this.entries.length
        this.entries = []
        this.dropped = 0
        inboxesByUse.delete(this)
      },
    }
    inboxes.set(generation, created)
    generation.onEnd.push(() => created.clear())
    return created
  }

  function dropOldest(inbox: StoredInbox): void {
    inbox.entries.shift()
    inbox.dropped++
    total--
    if (inbox.entries.length === 0) inboxesByUse.delete(inbox)
  }

  return {
    of: inboxOf,
    receive(world, received) {
      const inbox = inboxOf(world.generation)
      const { answer } = inbox
      // A retired world has been replaced, and its inbox with it.
      if (world.isRetired) return answer
      inbox.entries.push({ id: ++inbox.lastId, ...received, realAt: realNow(), ...answer })
      total++
      inboxesByUse.delete(inbox)
      inboxesByUse.add(inbox)
      if (inbox.entries.length > MAX_ENTRIES) dropOldest(inbox)
      if (total > maxTotal) dropOldest(inboxesByUse.values().next().value!)
      return answer
    },
  }
}
