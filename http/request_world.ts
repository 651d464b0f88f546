import type { FastifyRequest } from 'fastify'
import type { World } from '../db/world.ts'
import { DEFAULT_WORLD, type Worlds } from '../db/worlds.ts'
import { stateOf } from './request_state.ts'

/** Releases the world of a request, once. Called by code that ends a request without an answer. */
export function releaseWorld(worlds: Worlds, { raw, world }: FastifyRequest): void {
  const state = stateOf(raw)
  if (!world || state.isWorldReleased) return
  state.isWorldReleased = true
  worlds.release(world)
}

/** Acquires the world of this number, or the default world if there is none. */
export function acquireOrDefault(
  worlds: Worlds,
  id: number | undefined,
): World | Promise<World | undefined> | undefined {
  const world = id === undefined ? undefined : worlds.acquire(id)
  if (!world) return worlds.acquire(DEFAULT_WORLD)
  return world instanceof Promise ? world.then((found) => found ?? worlds.acquire(DEFAULT_WORLD)) : world
}

/**
 * Moves a request to another world, for calls whose body decides which one; to the default world if none has the number.
 */
export async function switchWorld(worlds: Worlds, request: FastifyRequest, id: number | undefined): Promise<World> {
  if (id === request.world.id) return request.world
  return use(worlds, request, await acquireOrDefault(worlds, id))
}

/** Moves a request that has replaced the state of its world to the new state, whose journal then has the call. */
export async function enterNewState(worlds: Worlds, request: FastifyRequest): Promise<void> {
  try {
    use(worlds, request, await worlds.acquire(request.world.id))
  } catch {
    // The state was replaced, whatever has happened to the world since: only the journal misses the call.
  }
}

function use(worlds: Worlds, request: FastifyRequest, world: World | undefined): World {
  const before = request.world
  if (!world) return before
  request.world = world
  worlds.release(before)
  return world
}
