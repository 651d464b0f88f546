import type { Ring } from '../../../db/ring.ts'
import type { World } from '../../../db/world.ts'
import type { Worlds } from '../../../db/worlds.ts'
import { attemptMessages, eventMessages, sseMessage } from './messages.ts'
import { eventsAfter, type FeedPosition, finishedAttemptsAfter } from './queries.ts'

/** Events in memory, from where a stream has read them. */
export interface MemorySource {
  /** The next messages, some hundred at most. */
  read(): string
  hasMore(): boolean
  /** Calls `onNew` after each new event. Returns what ends this. */
  watch(onNew: () => void): () => void
}

/** Events or rows that are read at a time. */
const BATCH_SIZE = 100

/** The messages that were sent: the streams of a world send the same ones. */
const texts = new WeakMap<object, string>()

/**
 * The values that are added to a ring from now on, as events of a kind. Values that were evicted before the stream read
 * them become a gap.
 */
export function memorySource<T extends object>(
  kind: string,
  ring: Ring<T>,
  present: (value: T) => object,
): MemorySource {
  /** Id of the next value to read. */
  let position = ring.next

  function messageOf(value: T): string {
    const known = texts.get(value)
    if (known !== undefined) return known
    const text = sseMessage(kind, present(value))
    texts.set(value, text)
    return text
  }

  return {
    read() {
      const from = Math.max(position, ring.first)
      const gap = from > position ? sseMessage('gap', { kind, after: position - 1, first: from }) : ''
      position = Math.min(ring.next, from + BATCH_SIZE)
      return gap + ring.values(from, BATCH_SIZE).map(messageOf).join('')
    },
    hasMore: () => position < ring.next,
    watch(onNew) {
      ring.listeners.add(onNew)
      return () => ring.listeners.delete(onNew)
    },
  }
}

/** Kinds of events that are read from the world. */
const STORED_KINDS = ['fact', 'attempt', 'topic_off']

/** Events in the world, from where a stream has read them. */
interface StoredSource {
  /** There may be new ones. Returns whether the stream wants such events. */
  notify(): boolean
  /** Writes the next messages. Returns whether there are more. */
  send(write: (text: string) => void): Promise<boolean>
}

/** It retains the world only while it reads. */
export function storedSource(
  worlds: Worlds,
  { id, generation }: World,
  from: FeedPosition,
  kinds: ReadonlySet<string>,
): StoredSource {
  const position = { ...from }
  const isWanted = STORED_KINDS.some((kind) => kinds.has(kind))
  const wantsAttempts = kinds.has('attempt') || kinds.has('topic_off')
  let isNew = false

  /** Returns whether there are more. */
  async function sendBatch(world: World, write: (text: string) => void): Promise<boolean> {
    // Attempts are read first: the events that caused them are then among the events read next.
    const attempts = wantsAttempts ? await finishedAttemptsAfter(world.read, position.attempt, BATCH_SIZE) : []
    const events = kinds.has('fact') ? await eventsAfter(world.read, position.event, BATCH_SIZE) : []
    await world.whenStored()
    write(eventMessages(world, position.event, events))
    position.event = events.at(-1)?.id ?? position.event
    if (events.length === BATCH_SIZE) return true
    write(attempts.map((row) => attemptMessages(row, kinds)).join(''))
    position.attempt = attempts.at(-1)?.position ?? position.attempt
    return attempts.length === BATCH_SIZE
  }

  return {
    notify() {
      isNew = isWanted
      return isWanted
    },
    async send(write) {
      if (!isNew) return false
      // A commit meanwhile makes it read once more.
      isNew = false
      const world = await worlds.acquire(id)
      if (!world) return false
      try {
        if (world.generation !== generation) return false
        const hasMore = await sendBatch(world, write)
        isNew ||= hasMore
        return hasMore
      } finally {
        worlds.release(world)
      }
    },
  }
}
