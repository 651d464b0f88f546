import type { Test } from 'tap'
import { start, type TestApp } from '../support/app.ts'
import type { Setup } from './fixtures.ts'
import { stopRealTime } from './normal.ts'

/** Starts a server with a frozen world, and stops real time; `close` ends both. */
export async function serverOf(setup: Omit<Setup, 'isLong' | 'settles'>) {
  const resumeRealTime = stopRealTime()
  const ends: (() => unknown)[] = []
  const { scenario, seed, options } = setup
  const test = { teardown: (end: () => unknown) => ends.push(end) } as unknown as Test
  const close = async () => {
    for (const end of ends) await end()
    resumeRealTime()
  }
  try {
    const app: TestApp = await start(test, { scenario, seed, ...options })
    return { app, close }
  } catch (error) {
    await close()
    throw error
  }
}
