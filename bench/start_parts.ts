import { tmpdir } from 'node:os'
import { build } from '../app.ts'
import { readWorldInfo } from '../control/worlds/world_info.ts'
import { realNow } from '../db/clock.ts'
import { createTemporaryFolder } from '../db/folders.ts'
import { DEFAULT_WORLD } from '../db/worlds.ts'

// Runs in its own process, bundled as the program is, and prints the ms of each part of its start.

/** Defined by the banner of the bundle: when its first line ran. */
declare const BEGUN: number

const parts: Record<string, number> = {}
let last = 0
const part = (name: string) => {
  const now = performance.now()
  parts[name] = now - last
  last = now
}

async function main(): Promise<void> {
  parts['node itself'] = BEGUN
  last = BEGUN
  part('modules')
  const folder = createTemporaryFolder(tmpdir())
  part('folder')
  const { server, worlds } = await build({
    folder,
    mode: 'temporary',
    scenario: 'demo',
    seed: 1,
    now: realNow(),
    secret: false,
    onFault: (error) => {
      throw error
    },
    beforePlugins: () => part('world copy'),
  })
  part('routes')
  await server.listen({ host: '127.0.0.1', port: 0 })
  part('listen')
  const home = (await worlds.acquire(DEFAULT_WORLD))!
  const { sellers } = await readWorldInfo('', home, worlds)
  worlds.release(home)
  const headers = { authorization: `Bearer ${sellers[0]!.token}` }
  const call = async () => {
    const { statusCode } = await server.inject({ url: '/questions/search?limit=10', headers })
    if (statusCode !== 200) throw new Error(`the answer is ${statusCode}`)
  }
  await call()
  part('first call: its queries and its validator')
  await call()
  part('second call')
  process.stdout.write(`${JSON.stringify(parts)}\n`)
  await server.close()
}

void main()
