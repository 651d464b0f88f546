import { createWorld } from 'mercadito/control'
import { test as base } from 'vitest'

/** A test that uses `world` gets its own, which is deleted afterwards. */
export const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures from the pattern
  world: async ({}, use) => {
    const world = await createWorld({ scenario: 'quiet', now: '2026-03-02T12:00:00Z' })
    await use(world)
    await world.close()
  },
})
