import type { ServerResponse } from 'node:http'
import type { Generation, World } from '../../../db/world.ts'
import type { Worlds } from '../../../db/worlds.ts'
import type { OnFault } from '../../../http/errors.ts'
import { attemptMessages, eventMessages } from '../present.ts'
import { eventsAfter, type FeedPosition, finishedAttemptsAfter } from './queries.ts'

/** What happens in worlds, told to whoever listens while it happens. */
export interface Feed {
  /** Looks after a world that was opened: its facts are passed on. */
  watch(world: World): void
  /** An attempt of this world is over, and written down. */
  notifyAttempt(world: World): void
  /**
   * Writes server-sent events from a place on, until the state of the world or the server ends, or the client leaves.
   */
  subscribe(world: World, position: FeedPosition, response: ServerResponse): void
  /** Ends all streams. */
  close(): Promise<void>
}

/** Rows that are read at a time. */
const BATCH_SIZE = 100
/** Bytes that may wait for a client. */
const MAX_BUFFERED_BYTES = 1024 * 1024
/** Real ms; proxies and clients give up what is silent for longer. */
const HEARTBEAT_MS = 15_000

/** Streams hold their world only while they read: what waits for a slow client waits in the file. */
export function openFeed(worlds: Worlds, onFault: OnFault): Feed {
  const streams = new WeakMap<Generation, Set<Stream>>()
  const allStreams = new Set<Stream>()
  const pendingReads = new Set<Promise<void>>()
  let isClosed = false

  function streamsOf(generation: Generation): Set<Stream> {
    const existing = streams.get(generation)
    if (existing) return existing
    const created = new Set<Stream>()
    streams.set(generation, created)
    generation.onEnd.push(() => {
      for (const stream of created) stream.end()
    })
    return created
  }

  function notifyStreams({ generation }: World): void {
    for (const stream of streams.get(generation) ?? []) {
      const pendingRead = stream
        .read()
        .catch(onFault)
        .finally(() => pendingReads.delete(pendingRead))
      pendingReads.add(pendingRead)
    }
  }

  return {
    watch: (world) => world.onEvents(() => notifyStreams(world)),
    notifyAttempt: notifyStreams,
    subscribe(world, position, response) {
      const stream = openStream(worlds, world, position, response)
      // Its state may have ended while the place was read.
      if (isClosed || world.isRetired) return stream.end()
      const generationStreams = streamsOf(world.generation).add(stream)
      allStreams.add(stream)
      response.once('close', () => {
        generationStreams.delete(stream)
        allStreams.delete(stream)
      })
      notifyStreams(world)
    },
    async close() {
      isClosed = true
      for (const stream of allStreams) stream.stop()
      await Promise.all(pendingReads)
    },
  }
}

interface Stream {
  /** Passes on what is new; once more when it is called meanwhile. */
  read(): Promise<void>
  /** Ends after what waits. */
  end(): void
  /** Ends now. */
  stop(): void
}

function openStream(
  worlds: Worlds,
  { id, generation }: World,
  { fact: lastEvent, attempt: lastAttempt }: FeedPosition,
  response: ServerResponse,
): Stream {
  let isReading = false
  let shouldReadAgain = false
  /** Goes on when the client has taken what waits, or left; with how many heartbeats it has taken nothing. */
  let blocked: { resume: () => void; missedHeartbeats: number } | undefined

  const heartbeat = setInterval(() => {
    if (response.writableEnded || (blocked && ++blocked.missedHeartbeats > 1)) response.destroy()
    else write(':\n\n')
  }, HEARTBEAT_MS).unref()
  response.on('drain', () => blocked?.resume())
  response.once('close', () => {
    clearInterval(heartbeat)
    blocked?.resume()
  })
  write('retry: 1000\n\n')

  function write(text: string): void {
    if (!response.writable || response.destroyed) return
    response.write(text)
    if (response.writableLength > MAX_BUFFERED_BYTES) response.destroy()
  }

  /** Answers whether there is more. */
  async function sendBatch(): Promise<boolean> {
    const world = await worlds.acquire(id)
    if (!world) return false
    try {
      if (world.generation !== generation) return false
      // Attempts first: the facts that they come from are then among those that are read after them.
      const attempts = await finishedAttemptsAfter(world.read, lastAttempt, BATCH_SIZE)
      const events = await eventsAfter(world.read, lastEvent, BATCH_SIZE)
      const isCaughtUp = events.length < BATCH_SIZE
      write(eventMessages(lastEvent, events))
      lastEvent = events.at(-1)?.id ?? lastEvent
      if (!isCaughtUp) return true
      write(attempts.map(attemptMessages).join(''))
      lastAttempt = attempts.at(-1)?.place ?? lastAttempt
      return attempts.length === BATCH_SIZE
    } finally {
      worlds.release(world)
    }
  }

  async function waitForDrain(): Promise<void> {
    if (!response.writableNeedDrain || response.destroyed) return
    await new Promise<void>((resume) => {
      blocked = { resume, missedHeartbeats: 0 }
    })
    blocked = undefined
  }

  return {
    async read() {
      shouldReadAgain = true
      if (isReading) return
      isReading = true
      try {
        while (shouldReadAgain) {
          shouldReadAgain = false
          while (response.writable && !response.destroyed && (await sendBatch())) await waitForDrain()
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
