import type { ServerResponse } from 'node:http'
import type { Generation, World } from '../../../db/world.ts'
import type { Worlds } from '../../../db/worlds.ts'
import type { OnFault } from '../../../http/errors/error_handler.ts'
import { openStream, type Stream, type Subscription } from './stream.ts'

/** Streams what happens in worlds to clients, as server-sent events. */
export interface Feed {
  /** Streams the events of a world that was opened. */
  watch(world: World): void
  /** An attempt of this world has ended and is committed. */
  notifyAttempt(world: World): void
  /** Streams until the generation of the world or the server ends, or the client disconnects. */
  subscribe(world: World, subscription: Subscription, response: ServerResponse): void
  /** Ends all streams. */
  close(): Promise<void>
}

export function openFeed(worlds: Worlds, onFault: OnFault): Feed {
  const streamsByGeneration = new WeakMap<Generation, Set<Stream>>()
  const streams = new Set<Stream>()
  let isClosed = false

  function streamsOf(generation: Generation): Set<Stream> {
    const existing = streamsByGeneration.get(generation)
    if (existing) return existing
    const created = new Set<Stream>()
    streamsByGeneration.set(generation, created)
    generation.onEnd.push((change) => {
      // A client connects again, to the server that has the world then.
      for (const stream of created) stream.end(change.change === 'moved' ? undefined : change)
    })
    return created
  }

  function notifyStreams({ generation }: World): void {
    for (const stream of streamsByGeneration.get(generation) ?? []) stream.notifyStored()
  }

  return {
    watch: (world) => world.onEvents(() => notifyStreams(world)),
    notifyAttempt: notifyStreams,
    subscribe(world, subscription, response) {
      const stream = openStream({ worlds, onFault }, world, subscription, response)
      // The generation may have ended while the caller read the position.
      if (isClosed || world.isRetired) return stream.end(undefined)
      const generationStreams = streamsOf(world.generation).add(stream)
      streams.add(stream)
      const unwatch = subscription.sources.map((source) => source.watch(stream.notify))
      response.once('close', async () => {
        for (const end of unwatch) end()
        generationStreams.delete(stream)
        await stream.whenIdle()
        streams.delete(stream)
      })
      stream.notifyStored()
    },
    async close() {
      isClosed = true
      for (const stream of streams) stream.stop()
      await Promise.all([...streams].map((stream) => stream.whenIdle()))
    },
  }
}
