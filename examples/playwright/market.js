import { test as base } from '@playwright/test'
import { createWorld } from 'mercadito/control'

/** A test that uses `world` gets its own, which is deleted afterwards; `app` is the page, for the seller of that world. */
export const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
  world: async ({}, use) => {
    const world = await createWorld({ scenario: 'quiet', now: '2026-03-02T12:00:00Z' })
    await use(world)
    await world.close()
  },
  app: async ({ page, world }, use) => {
    const address = new URL('app.html', import.meta.url)
    address.search = new URLSearchParams({ api: world.url, token: world.seller('MLA').token })
    await use({ page, open: () => page.goto(address.href) })
  },
})
export { expect } from '@playwright/test'
