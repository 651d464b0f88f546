import { build, type Options } from '../app.ts'
import { populateFromFile } from '../control/world_file/import.ts'
import { scanFile } from '../control/world_file/temp_files.ts'
import { createTemporaryFolder } from '../db/folders.ts'
import { createClient } from '../lib/cli/client.ts'
import { temporaryRoot } from '../lib/temporary_root.ts'
import { createSender, type RawCall } from './send.ts'

/** Any receiver may be set, because nothing is sent. */
const ALLOWLIST = ['0.0.0.0/0', '::/0']
const NETWORK_POLICY = { isExposed: false, allowlist: ALLOWLIST }

export type OwnServer = Awaited<ReturnType<typeof openOwnServer>>

type OwnOptions = Required<Pick<Options, 'interceptAttempt'>> & Pick<Options, 'isReadOnly' | 'beforePlugins'>

/** A server of its own, in this process, whose worlds are those of world files. */
export async function openOwnServer(options: OwnOptions) {
  const folder = createTemporaryFolder(temporaryRoot())
  const faults: Error[] = []
  const { server, worlds, listenOn } = await build({
    ...{ folder, mode: 'temporary', scenario: 'empty', seed: 1, now: 0, secret: false, allowlist: ALLOWLIST },
    onFault: (error) => faults.push(error),
    ...options,
  })
  await listenOn({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as { port: number }
  const url = `http://127.0.0.1:${port}`
  const sender = createSender(url)
  return {
    url,
    folder: folder.path,
    paths: server.paths,
    /** Replaces a world by that of a file, or creates one; resolves with its number. Throws a 400 if the file is not valid. */
    async load(file: string, world?: number, key?: string): Promise<number> {
      const { members } = await scanFile(file)
      const defaults = { switches: {}, secret: false, key, networkPolicy: NETWORK_POLICY }
      const populate = populateFromFile(file, members, defaults)
      if (world === undefined) return worlds.create(populate, { start: true })
      await worlds.replace(world, populate, { start: true })
      return world
    },
    /** Sends a call to a world. */
    send: (world: number, call: RawCall) => sender.send({ ...call, target: `/w/${world}${call.target}` }),
    /** Sends a control call; throws a CliError if it fails. */
    async control(world: number, call: string, body?: unknown): Promise<void> {
      const [method, path] = call.split(' ') as ['POST', string]
      // Without a connection: a replay makes one of them before each call.
      const answer = await server.inject({ method, url: `/w/${world}/_sandbox${path}`, payload: body as object })
      const read = { status: answer.statusCode, body: answer.payload && answer.json() }
      createClient(`${url}/w/${world}`).requireSuccess(call, read)
    },
    /** Resolves with the names of the switches that are read until `end` is called. */
    async traceSwitches(id: number): Promise<{ read: ReadonlySet<string>; end(): void }> {
      const world = (await worlds.acquire(id))!
      const { switches } = world
      const read = new Set<string>()
      // Another object, so that no answer is taken from the cache.
      world.switches = new Proxy(switches, {
        get(target, name) {
          read.add(String(name))
          return Reflect.get(target, name)
        },
      })
      return {
        read,
        end() {
          world.switches = switches
          worlds.release(world)
        },
      }
    },
    async close(): Promise<void> {
      sender.close()
      server.server.closeAllConnections()
      await server.close()
      if (faults[0]) throw faults[0]
    },
  }
}
