import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { World } from '../../db/world.ts'
import type { Worlds } from '../../db/worlds.ts'
import type { FindCaller } from '../fastify_types.ts'
import type { Journals } from '../journal/journals.ts'
import type { KnownRequest, ResponseCache } from '../response_cache.ts'
import type { LazyServer } from './parts.ts'
import { REQUEST_ID, type TrafficCounter } from './traffic.ts'

interface RepeatOptions {
  cache: ResponseCache
  worlds: Worlds
  journals: Journals
  traffic: TrafficCounter
  findCaller: FindCaller
  requestIdOf(raw: IncomingMessage): string
}

/**
 * Answers a request whose answer is stored before the router and all hooks. What they would do for it each time is done here:
 * the token is checked, the request is counted, logged and recorded.
 */
export function answerRepeated(server: LazyServer, options: RepeatOptions): LazyServer {
  const { cache, worlds, journals, traffic, findCaller, requestIdOf } = options

  /** Whether a token is still valid, as far as that is known without a query. */
  function isValid(token: string, world: World): boolean {
    const caller = findCaller(world, token)
    if (!(caller instanceof Promise)) return caller !== undefined
    caller.catch(() => undefined)
    return false
  }

  function answerIn(world: World, known: KnownRequest, raw: IncomingMessage, response: ServerResponse): boolean {
    // An overloaded server answers otherwise.
    if (traffic.isOverloaded() || raw.socket.destroyed || mayBeLost(world)) return false
    const stored = cache.answerOf(known, world, raw)
    if (!stored || (stored.token !== undefined && !isValid(stored.token, world))) return false
    const id = traffic.hasIds ? requestIdOf(raw) : ''
    if (id !== '') response.setHeader(REQUEST_ID, id)
    const begin = () => traffic.begin({ ...stored.request, id, url: stored.entry.url, raw, world }, response)
    // The end of an injected request is part of `end`.
    const isBegun = id !== '' || !(raw.socket instanceof Socket)
    if (isBegun) begin()
    const startedAt = performance.now()
    journals.recordAgain(raw, world, stored.entry)
    response.writeHead(stored.status, stored.headers).end(stored.payload, 'latin1')
    if (isBegun) return true
    // The system has almost always taken all of it. To wait for an event would be a tenth of the request's time.
    if (response.socket?.writableLength === 0)
      traffic.countSent(stored.request.routeOptions.url ?? '', 'GET', stored.status, performance.now() - startedAt)
    else begin()
    return true
  }

  function answer(raw: IncomingMessage, response: ServerResponse, target: string): boolean {
    const known = cache.find(raw, target)
    const world = known && worlds.acquireOpen(known.worldId)
    if (!world) return false
    try {
      return answerIn(world, known, raw, response)
    } finally {
      worlds.release(world)
    }
  }

  return {
    open: server.open,
    handle(raw, response, target) {
      if (!answer(raw, response, target)) server.handle(raw, response, target)
    },
  }
}

/** Whether commits that reads have seen are not stored yet: the hooks of the route wait for them. */
function mayBeLost(world: World): boolean {
  const stored = world.whenStored()
  stored?.catch(() => undefined)
  return stored !== undefined
}
