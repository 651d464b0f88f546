import type { Exchange } from './exchange.ts'
import { readScript, scripts } from './fixtures.ts'
import { replay } from './replay.ts'

export interface Part {
  name: string
  isLong: boolean
  run(): Promise<Exchange[]>
}

/** Everything that is recorded: replays of recorded calls, and what cannot be injected. */
export const parts = (): Part[] =>
  scripts().map((name) => {
    const script = readScript(name)
    return { name, isLong: script.setup.isLong, run: () => replay(script) }
  })
