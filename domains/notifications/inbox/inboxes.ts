import { realNow } from '../../../db/clock.ts'
import { keptFor } from '../../../db/kept.ts'
import { Ring, RingBudget } from '../../../db/ring.ts'
import { delay } from '../../../db/timers.ts'
import type { Generation, World } from '../../../db/world.ts'
import { type Attempt, failedAttempt, SERVER_STOPPING } from '../outbound/attempt.ts'
import { redirectError } from '../outbound/post.ts'

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
  real_at: number
  delivery_id: number
  application_id: number
  topic: string
  /** JSON. */
  body: string
}

/** The receiver inside the server, of one generation of a world. */
export interface Inbox {
  answer: InboxAnswer
  readonly entries: Ring<InboxEntry>
}

/** The inboxes of all worlds, in bounded memory. */
export interface Inboxes {
  of(generation: Generation): Inbox
  /** Stores a notification, with the answer that its sender will get. */
  receive(world: World, received: Omit<InboxEntry, 'id' | 'real_at' | keyof InboxAnswer>): InboxAnswer
}

export const DEFAULT_ANSWER: InboxAnswer = { status: 200, ms: 0 }

/** Notifications of one world, and of all. One takes less than 1 KiB. */
export const MAX_ENTRIES = 1000
const MAX_TOTAL_ENTRIES = 20_000

export function openInboxes(maxTotal = MAX_TOTAL_ENTRIES): Inboxes {
  const budget = new RingBudget(maxTotal)

  const inboxOf = keptFor((generation: Generation): Inbox => {
    const entries = new Ring<InboxEntry>(MAX_ENTRIES, { budget })
    generation.onEnd.push(() => entries.clear())
    return { answer: DEFAULT_ANSWER, entries }
  })

  return {
    of: inboxOf,
    receive(world, received) {
      const { answer, entries } = inboxOf(world.generation)
      // A retired world has been replaced, and its inbox with it.
      if (!world.isRetired) entries.append({ id: entries.next, ...received, real_at: realNow(), ...answer })
      return answer
    },
  }
}

/**
 * The attempt of a notification that an inbox has received, after the time that its answer takes, at most `timeoutMs`;
 * never rejects. The two numbers alone decide whether the answer is late.
 */
export async function inboxAttempt(
  { status, ms }: InboxAnswer,
  timeoutMs: number,
  stopSignal: AbortSignal,
): Promise<Attempt> {
  const isLate = ms > timeoutMs
  const takenMs = isLate ? timeoutMs : ms
  try {
    if (takenMs > 0) await delay(takenMs, undefined, { signal: stopSignal })
  } catch {
    return failedAttempt(SERVER_STOPPING)
  }
  if (isLate) return failedAttempt(`no answer within ${timeoutMs} ms`, takenMs)
  return { http_code: status, headers: {}, body: '', truncated: false, ms: takenMs, error: redirectError(status) }
}
