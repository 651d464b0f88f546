import type { FastifyRequest } from 'fastify'
import type { World } from '../db/world.ts'
import type { Worlds } from '../db/worlds.ts'
import { stateOf } from './request_state.ts'

/** Releases the world of a request, once. Called by code that ends a request without an answer. */
export function releaseWorld(worlds: Worlds, { raw, world }: FastifyRequest): void {
  const state = stateOf(raw)
  if (!world || state.isWorldReleased) return
  state.isWorldReleased = true
  worlds.release(world)
}

/**
 * Moves a request to another world, for calls whose body decides which one. It keeps its world if none has that number.
 */
export async function switchWorld(worlds: Worlds, request: FastifyRequest, id: number): Promise<World> {
  const before = request.world
  if (id === before.id) return before
  const world = await worlds.acquire(id)
  if (!world) return before
  request.world = world
  worlds.release(before)
  return world
}
