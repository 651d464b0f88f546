import { defineConfig } from '@playwright/test'

export default defineConfig({
  workers: 2,
  fullyParallel: true,
  // Default: the browser of `npx playwright install chromium`.
  use: { launchOptions: { executablePath: process.env.CHROMIUM } },
})
