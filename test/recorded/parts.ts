import type { Exchange } from './exchange.ts'
import { readScript, scripts } from './fixtures.ts'
import { databaseContents } from './parts/databases.ts'
import { exportedWorlds } from './parts/exports.ts'
import { oldDataFolders } from './parts/old_data.ts'
import { rawSockets } from './parts/sockets.ts'
import { webhooks } from './parts/webhooks.ts'
import { replay } from './replay.ts'

export interface Part {
  name: string
  isLong: boolean
  run(): Promise<Exchange[]>
}

const SEEDS = [1, 2, 7]

const replays = (): Part[] =>
  scripts().map((name) => {
    const script = readScript(name)
    return { name, isLong: script.setup.isLong, run: () => replay(script) }
  })

/** All recorded parts: replays of recorded calls, and programs for what cannot be replayed. */
export const parts = (): Part[] => [
  ...replays(),
  ...SEEDS.flatMap((seed): Part[] => [
    { name: `exports-${seed}`, isLong: seed !== 1, run: () => exportedWorlds(seed) },
    { name: `databases-${seed}`, isLong: true, run: () => databaseContents(seed) },
  ]),
  { name: 'old-data', isLong: false, run: oldDataFolders },
  { name: 'sockets-1', isLong: false, run: () => rawSockets(1) },
  { name: 'webhooks-ideal', isLong: false, run: () => webhooks('ideal', 1) },
  { name: 'webhooks-realistic', isLong: true, run: () => webhooks('realistic', 2) },
]
