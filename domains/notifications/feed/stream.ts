import type { ServerResponse } from 'node:http'
import { yieldToEventLoop } from '../../../db/engine.ts'
import type { World } from '../../../db/world.ts'
import type { Worlds } from '../../../db/worlds.ts'
import { attemptMessages, eventMessages } from './messages.ts'
import { eventsAfter, type FeedPosition, finishedAttemptsAfter } from './queries.ts'
import { openSseResponse } from './sse_response.ts'

/** Rows that are read at a time. */
const BATCH_SIZE = 100

export interface Stream {
  /** Writes what is new; a call during a read makes it read once more. */
  read(): Promise<void>
  /** Ends after the data that waits for the client. */
  end(): void
  /** Ends now. */
  stop(): void
}

/** A stream retains its world only while it reads: data for a slow client waits in the database, not in memory. */
export function openStream(
  worlds: Worlds,
  { id, generation }: World,
  from: FeedPosition,
  response: ServerResponse,
): Stream {
  const client = openSseResponse(response)
  const position = { ...from }
  let isReading = false
  let shouldReadAgain = false

  /** Returns whether there is more to read. */
  async function sendBatch(): Promise<boolean> {
    const world = await worlds.acquire(id)
    if (!world) return false
    try {
      if (world.generation !== generation) return false
      // Attempts are read first: the events that caused them are then among the events read next.
      const attempts = await finishedAttemptsAfter(world.read, position.attempt, BATCH_SIZE)
      const events = await eventsAfter(world.read, position.event, BATCH_SIZE)
      client.write(eventMessages(world, position.event, events))
      position.event = events.at(-1)?.id ?? position.event
      if (events.length === BATCH_SIZE) return true
      client.write(attempts.map(attemptMessages).join(''))
      position.attempt = attempts.at(-1)?.position ?? position.attempt
      return attempts.length === BATCH_SIZE
    } finally {
      worlds.release(world)
    }
  }

  return {
    async read() {
      shouldReadAgain = true
      if (isReading) return
      isReading = true
      try {
        while (shouldReadAgain) {
          // The calls of this turn are then recorded, and the events of its commits are read together.
          await yieldToEventLoop()
          shouldReadAgain = false
          while (client.isOpen() && (await sendBatch())) await client.waitForDrain()
        }
      } catch (error) {
        response.destroy()
        throw error
      } finally {
        isReading = false
      }
    },
    end: () => void response.end(),
    stop() {
      if (response.writableLength > 0) response.destroy()
      else response.end()
    },
  }
}
