import type { ServerResponse } from 'node:http'
import { yieldToEventLoop } from '../../../db/engine.ts'
import type { StateChange, World } from '../../../db/world.ts'
import type { Worlds } from '../../../db/worlds.ts'
import type { OnFault } from '../../../http/errors/error_handler.ts'
import { sseMessage } from './messages.ts'
import type { FeedPosition } from './queries.ts'
import { type MemorySource, storedSource } from './sources.ts'
import { openSseResponse } from './sse_response.ts'

/** Ms between two reads, and in a flood: the streams of a busy server would otherwise cost as much as its calls. */
const READ_INTERVAL_MS = 25
const FLOOD_INTERVAL_MS = 250

export interface Subscription {
  /** Where to begin with the stored events. */
  position: FeedPosition
  /** What the client wants. */
  kinds: ReadonlySet<string>
  /** Those of the kinds that are in memory. */
  sources: MemorySource[]
}

export interface Stream {
  /** Writes what is new in memory; a call while it reads makes it read once more. */
  notify(): void
  /** Writes what is new in the world, too. */
  notifyStored(): void
  /** Ends after the data that waits for the client. */
  end(change: StateChange | undefined): void
  /** Ends now. */
  stop(): void
  /** Resolves when it does not read. */
  whenIdle(): Promise<void>
}

/** A stream retains its world only while it reads: data for a slow client waits in the database, not in memory. */
export function openStream(
  { worlds, onFault }: { worlds: Worlds; onFault: OnFault },
  world: World,
  { position, kinds, sources }: Subscription,
  response: ServerResponse,
): Stream {
  const client = openSseResponse(response)
  const stored = storedSource(worlds, world, position, kinds)
  let isReading = false
  let shouldReadAgain = false
  let lastRead = Promise.resolve()

  /** Returns whether there is more to read. */
  async function sendBatch(): Promise<boolean> {
    client.write(sources.map((source) => source.read()).join(''))
    const hasMore = sources.some((source) => source.hasMore())
    return (await stored.send(client.write)) || hasMore
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

  function notify(): void {
    shouldReadAgain = true
    if (!isReading) lastRead = read()
  }

  return {
    notify,
    notifyStored() {
      if (stored.notify()) notify()
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
