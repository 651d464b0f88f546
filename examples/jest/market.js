const { createWorld } = require('mercadito/control')

/** Gives each test of a file a world of its own, which is deleted after it. */
exports.useWorld = () => {
  let world
  beforeEach(async () => {
    world = await createWorld({ scenario: 'quiet', now: '2026-03-02T12:00:00Z' })
  })
  afterEach(() => world.close())
  return () => world
}
