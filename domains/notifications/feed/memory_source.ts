import type { Ring } from '../../../db/ring.ts'
import { sseMessage } from './messages.ts'

/** Events in memory, from where a stream has read them. */
export interface MemorySource {
  /** The next messages, some hundred at most. */
  read(): string
  hasMore(): boolean
  /** Calls `onNew` after each new event. Returns what ends this. */
  watch(onNew: () => void): () => void
}

/** Events that are read at a time. */
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
