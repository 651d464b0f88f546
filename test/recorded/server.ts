import type { Options } from '../../app.ts'
import { start, type TestApp } from '../support/app.ts'
import { stopRealTime } from './normal.ts'

/** Starts a server with a frozen world, and stops real time; `close` ends both. */
export async function serverOf(options: Partial<Options> = {}) {
  const resumeRealTime = stopRealTime()
  const ends: (() => unknown)[] = []
  const close = async () => {
    for (const end of ends) await end()
    resumeRealTime()
  }
  try {
    const app: TestApp = await start({ teardown: (end) => void ends.push(end) }, { seed: 1, ...options })
    return { app, close }
  } catch (error) {
    await close()
    throw error
  }
}
