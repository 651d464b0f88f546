import { createWorld } from 'mercadito/control'

/** A world for a test, which is deleted after it. With Node 24, `await using world = await createWorld(…)` does the same. */
export async function openWorld(t) {
  const world = await createWorld({ scenario: 'quiet', now: '2026-03-02T12:00:00Z' })
  t.after(world.close)
  return world
}
