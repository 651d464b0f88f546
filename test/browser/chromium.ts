import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

// The first has no windows, and needs half the CPU of the others.
const PROGRAMS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Pages of one context share a process, and what it has compiled. */
const ARGUMENTS = ['--renderer-process-limit=1', '--in-process-gpu']

/** Starts Chromium: MERCADITO_CHROMIUM, else where systems install it. Throws an Error if there is none. */
export async function launchBrowser(): Promise<Browser> {
  const { MERCADITO_CHROMIUM: given } = process.env
  const executablePath = given ?? PROGRAMS.find((path) => existsSync(path))
  if (!executablePath)
    throw new Error(
      `Chromium is missing: none of ${PROGRAMS.join(', ')}. Run apt-get install chromium-headless-shell, or name it in MERCADITO_CHROMIUM`,
    )
  return chromium.launch({
    executablePath,
    args: [...ARGUMENTS, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })
}
