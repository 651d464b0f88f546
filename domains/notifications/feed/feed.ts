import type { ServerResponse } from 'node:http'
import type { Generation, World } from '../../../db/world.ts'
import type { Worlds } from '../../../db/worlds.ts'
import type { OnFault } from '../../../http/error_handler.ts'
import type { FeedPosition } from './queries.ts'
import { openStream, type Stream } from './stream.ts'

/** Streams events and delivery attempts to clients while they happen, as server-sent events. */
export interface Feed {
  /** Streams the events of a world that was opened. */
  watch(world: World): void
  /** An attempt of this world has ended and is committed. */
  notifyAttempt(world: World): void
  /** Streams from a position on, until the generation of the world or the server ends, or the client disconnects. */
  subscribe(world: World, position: FeedPosition, response: ServerResponse): void
  /** Ends all streams. */
  close(): Promise<void>
}

export function openFeed(worlds: Worlds, onFault: OnFault): Feed {
  const streamsByGeneration = new WeakMap<Generation, Set<Stream>>()
  const streams = new Set<Stream>()
  const pendingReads = new Set<Promise<void>>()
  let isClosed = false

  function streamsOf(generation: Generation): Set<Stream> {
    const existing = streamsByGeneration.get(generation)
    if (existing) return existing
    const created = new Set<Stream>()
    streamsByGeneration.set(generation, created)
    generation.onEnd.push(() => {
      for (const stream of created) stream.end()
    })
    return created
  }

  function notifyStreams({ generation }: World): void {
    for (const stream of streamsByGeneration.get(generation) ?? []) {
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
      // The generation may have ended while the caller read the position.
      if (isClosed || world.isRetired) return stream.end()
      const generationStreams = streamsOf(world.generation).add(stream)
      streams.add(stream)
      response.once('close', () => {
        generationStreams.delete(stream)
        streams.delete(stream)
      })
      notifyStreams(world)
    },
    async close() {
      isClosed = true
      for (const stream of streams) stream.stop()
      await Promise.all(pendingReads)
    },
  }
}
