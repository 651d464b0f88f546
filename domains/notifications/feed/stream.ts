import type { ServerResponse } from 'node:http'
import { yieldToEventLoop } from '../../../db/engine.ts'
import type { StateChange, World } from '../../../db/world.ts'
import type { Worlds } from '../../../db/worlds.ts'
import type { OnFault } from '../../../http/error_handler.ts'
import type { MemorySource } from './memory_source.ts'
import { attemptMessages, eventMessages, sseMessage } from './messages.ts'
import { eventsAfter, type FeedPosition, finishedAttemptsAfter } from './queries.ts'
import { openSseResponse } from './sse_response.ts'

/** Rows that are read at a time. */
const BATCH_SIZE = 100

/** Ms between two reads, and in a flood: the streams of a busy server would otherwise cost as much as its calls. */
const READ_INTERVAL_MS = 25
const FLOOD_INTERVAL_MS = 250

/** Events that are read from the world. */
const STORED_KINDS = ['fact', 'attempt', 'topic_off']

export interface Subscription {
  /** Where to begin with the stored events. */
  position: FeedPosition
  /** `fact`, `attempt` and `topic_off` are read from the world; `world` ends a stream. */
  kinds: ReadonlySet<string>
  /** The other kinds. */
  sources: MemorySource[]
}

export interface Stream {
  /** Whether it reads the world. */
  isStored: boolean
  /** Writes what is new; a call while it reads makes it read once more. */
  notify(): void
  /** Ends after the data that waits for the client. */
  end(change: StateChange | undefined): void
  /** Ends now. */
  stop(): void
  /** Resolves when it does not read. */
  whenIdle(): Promise<void>
}

/** A stream retains its world only while it reads: data for a slow client waits in the database, not in memory. */
export function openStream(
  worlds: Worlds,
  { id, generation }: World,
  { position: from, kinds, sources }: Subscription,
  response: ServerResponse,
  onFault: OnFault,
): Stream {
  const client = openSseResponse(response)
  const position = { ...from }
  const isStored = STORED_KINDS.some((kind) => kinds.has(kind))
  let isReading = false
  let shouldReadAgain = false
  let lastRead = Promise.resolve()

  /** Returns whether there is more to read. */
  async function sendBatch(): Promise<boolean> {
    for (const source of sources) client.write(source.read())
    const hasMore = isStored && (await sendStored())
    return hasMore || sources.some((source) => source.hasMore())
  }

  async function sendStored(): Promise<boolean> {
    const world = await worlds.acquire(id)
    if (!world) return false
    try {
      if (world.generation !== generation) return false
      // Attempts are read first: the events that caused them are then among the events read next.
      const wantsAttempts = kinds.has('attempt') || kinds.has('topic_off')
      const attempts = wantsAttempts ? await finishedAttemptsAfter(world.read, position.attempt, BATCH_SIZE) : []
      const events = kinds.has('fact') ? await eventsAfter(world.read, position.event, BATCH_SIZE) : []
      client.write(eventMessages(world, position.event, events))
      position.event = events.at(-1)?.id ?? position.event
      if (events.length === BATCH_SIZE) return true
      client.write(attempts.map((row) => attemptMessages(row, kinds)).join(''))
      position.attempt = attempts.at(-1)?.position ?? position.attempt
      return attempts.length === BATCH_SIZE
    } finally {
      worlds.release(world)
    }
  }

  async function read(): Promise<void> {
    isReading = true
    try {
      while (shouldReadAgain) {
        // The calls of this turn are then recorded, and the events of its commits are read together.
        await yieldToEventLoop()
        shouldReadAgain = false
        let interval = READ_INTERVAL_MS
        while (client.isOpen() && (await sendBatch())) {
          interval = FLOOD_INTERVAL_MS
          await client.waitForDrain()
        }
        await client.pause(interval)
      }
    } catch (error) {
      response.destroy()
      onFault(error as Error)
    } finally {
      isReading = false
    }
  }

  return {
    isStored,
    notify() {
      shouldReadAgain = true
      if (!isReading) lastRead = read()
    },
    end(change) {
      if (change && kinds.has('world')) client.write(worldMessage(change))
      response.end()
    },
    stop() {
      if (response.writableLength > 0) response.destroy()
      else response.end()
    },
    whenIdle: () => lastRead,
  }
}

const worldMessage = ({ change, name }: StateChange) => sseMessage('world', { change, ...(name !== null && { name }) })
