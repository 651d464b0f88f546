import type { ServerResponse } from 'node:http'
import type { Life, World } from '../../db/world.ts'
import type { Worlds } from '../../db/worlds.ts'
import type { OnFault } from '../../plugins/errors.ts'
import { attemptsAfter, factsAfter, type Place } from './feed_queries.ts'
import { attemptEvent, factEvents } from './present.ts'

/** What happens in worlds, told to whoever listens while it happens. */
export interface Feed {
  /** Looks after a world that was opened: its facts are passed on. */
  watch(world: World): void
  /** An attempt of this world is over, and written down. */
  attempted(world: World): void
  /**
   * Writes server-sent events from a place on, until the state of the world or the server ends, or the client leaves.
   */
  follow(world: World, from: Place, to: ServerResponse): void
  /** Ends all streams. */
  close(): Promise<void>
}

/** Rows that are read at a time. */
const BATCH = 100
/** Bytes that may wait for a client. */
const MOST_WAITING = 1024 * 1024
/** Real ms; proxies and clients give up what is silent for longer. */
const HEARTBEAT = 15_000

/** Streams hold their world only while they read: what waits for a slow client waits in the file. */
export function openFeed(worlds: Worlds, onFault: OnFault): Feed {
  const streams = new WeakMap<Life, Set<Stream>>()
  const all = new Set<Stream>()
  const reading = new Set<Promise<void>>()
  let closed = false

  function streamsOf(life: Life): Set<Stream> {
    const known = streams.get(life)
    if (known) return known
    const made = new Set<Stream>()
    streams.set(life, made)
    life.onEnd.push(() => {
      for (const stream of made) stream.end()
    })
    return made
  }

  function wake({ life }: World): void {
    for (const stream of streams.get(life) ?? []) {
      const done = stream
        .read()
        .catch(onFault)
        .finally(() => reading.delete(done))
      reading.add(done)
    }
  }

  return {
    watch: (world) => world.onFacts(() => wake(world)),
    attempted: wake,
    follow(world, from, to) {
      const stream = openStream(worlds, world, from, to)
      // Its state may have ended while the place was read.
      if (closed || world.retired) return stream.end()
      const mine = streamsOf(world.life).add(stream)
      all.add(stream)
      to.once('close', () => {
        mine.delete(stream)
        all.delete(stream)
      })
      wake(world)
    },
    async close() {
      closed = true
      for (const stream of all) stream.stop()
      await Promise.all(reading)
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

function openStream(worlds: Worlds, { id, life }: World, { fact, attempt }: Place, to: ServerResponse): Stream {
  let busy = false
  let again = false
  /** Goes on when the client has taken what waits, or left; with how many heartbeats it has taken nothing. */
  let blocked: { goOn: () => void; beats: number } | undefined

  const beat = setInterval(() => {
    if (to.writableEnded || (blocked && ++blocked.beats > 1)) to.destroy()
    else write(':\n\n')
  }, HEARTBEAT).unref()
  to.on('drain', () => blocked?.goOn())
  to.once('close', () => {
    clearInterval(beat)
    blocked?.goOn()
  })
  write('retry: 1000\n\n')

  function write(text: string): void {
    if (!to.writable || to.destroyed) return
    to.write(text)
    if (to.writableLength > MOST_WAITING) to.destroy()
  }

  /** Answers whether there is more. */
  async function passOn(): Promise<boolean> {
    const world = await worlds.hold(id)
    if (!world) return false
    try {
      if (world.life !== life) return false
      // Attempts first: the facts that they come from are then among those that are read after them.
      const attempts = await attemptsAfter(world.read, attempt, BATCH)
      const facts = await factsAfter(world.read, fact, BATCH)
      const caughtUp = facts.length < BATCH
      write(factEvents(fact, facts))
      fact = facts.at(-1)?.id ?? fact
      if (!caughtUp) return true
      write(attempts.map(attemptEvent).join(''))
      attempt = attempts.at(-1)?.place ?? attempt
      return attempts.length === BATCH
    } finally {
      worlds.letGo(world)
    }
  }

  async function room(): Promise<void> {
    if (!to.writableNeedDrain || to.destroyed) return
    await new Promise<void>((goOn) => {
      blocked = { goOn, beats: 0 }
    })
    blocked = undefined
  }

  return {
    async read() {
      again = true
      if (busy) return
      busy = true
      try {
        while (again) {
          again = false
          while (to.writable && !to.destroyed && (await passOn())) await room()
        }
      } catch (error) {
        to.destroy()
        throw error
      } finally {
        busy = false
      }
    },
    end: () => void to.end(),
    stop() {
      if (to.writableLength > 0) to.destroy()
      else to.end()
    },
  }
}
