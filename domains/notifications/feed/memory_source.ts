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

interface Batch {
  from: number
  to: number
  text: string
}

/** The last messages of each ring: the streams of a world are mostly at the same position. */
const batches = new WeakMap<object, Batch>()

/**
 * The values that are added to a ring from now on, as events of a kind. Values that were evicted before the stream read
 * them become a gap.
 */
export function memorySource<T>(kind: string, ring: Ring<T>, present: (value: T) => object): MemorySource {
  /** Id of the next value to read. */
  let position = ring.next

  function messages(from: number): string {
    const to = Math.min(ring.next, from + BATCH_SIZE)
    const last = batches.get(ring)
    if (last?.from === from && last.to === to) return last.text
    const text = ring
      .values(from, BATCH_SIZE)
      .map((value) => sseMessage(kind, present(value)))
      .join('')
    batches.set(ring, { from, to, text })
    return text
  }

  return {
    read() {
      const from = Math.max(position, ring.first)
      const gap = from > position ? sseMessage('gap', { kind, after: position - 1, first: from }) : ''
      position = Math.min(ring.next, from + BATCH_SIZE)
      return from < position ? gap + messages(from) : gap
    },
    hasMore: () => position < ring.next,
    watch(onNew) {
      ring.listeners.add(onNew)
      return () => ring.listeners.delete(onNew)
    },
  }
}
