import { build } from '../app.ts'
import { readWorldInfo } from '../control/worlds/world_info.ts'
import { openDataFolder } from '../db/folders.ts'
import { noLog, type OpenCommitLog } from '../db/sqlite/commit_log.ts'
import { localLog } from '../db/sqlite/local_log.ts'
import { DEFAULT_WORLD } from '../db/worlds.ts'

// A server with a kept world for commit.ts: `commit_server.ts FOLDER background|full [checkpointer]`.

const [folder, sync, checkpointer] = process.argv.slice(2) as [string, string, string?]
const full: OpenCommitLog = (file) => ({ ...noLog(file), synchronous: 'FULL' })
const { server, worlds } = await build({
  folder: openDataFolder(folder),
  mode: 'kept',
  scenario: 'demo',
  seed: 1,
  now: null,
  secret: false,
  onFault(error) {
    throw error
  },
  storage: { openLog: sync === 'full' ? full : localLog, hasCheckpointer: checkpointer !== undefined },
})
const url = await server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 })
const world = (await worlds.acquire(DEFAULT_WORLD))!
process.stdout.write(`${JSON.stringify(await readWorldInfo(url, world, worlds))}\n`)
worlds.release(world)
process.on('SIGTERM', () => void server.close().then(() => process.exit(0)))
