import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type App, build } from '../app.ts'
import { readWorldInfo, type WorldInfo } from '../control/worlds/world_info.ts'
import { type Folder, openDataFolder } from '../db/folders.ts'
import { clearInterval, clearTimeout, setInterval, setTimeout } from '../db/timers.ts'
import { DEFAULT_WORLD } from '../db/worlds.ts'
import { InvalidTarget } from '../domains/notifications/outbound/network_policy.ts'
import { parseCallback } from '../domains/notifications/outbound/targets.ts'
import { control, SandboxClosed } from './control.ts'
import { fetchThrough } from './fetch.ts'
import { parseOptions, rejectMismatch } from './options.ts'
import { createTargets } from './receiver.ts'
import { sharedFolder } from './shared_folder.ts'
import { explainStartError, type OptionNames } from './start_errors.ts'
import type { OpenSandbox, SandboxOptions } from './types.ts'
import { worldMethods } from './world_methods.ts'

/** Base address of a sandbox without a port: real connections to it fail. */
const UNREACHABLE_URL = 'http://localhost:0'
/** Time for requests in flight when a sandbox is closed. */
const CLOSE_TIMEOUT_MS = 1000

/** Opens a marketplace in this process. Throws a TypeError for invalid options, an Error if it cannot start. */
export const sandbox: OpenSandbox = async (options = {}) => {
  const targets = createTargets()
  const { server, worlds, notify } = await openApp(options).catch((error) => {
    throw toStartError(error, options)
  })
  const stop = createStop(server)
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= stop().then(targets.close)
    return closing
  }

  try {
    if (options.notify !== undefined) {
      const networkPolicy = { isExposed: false, allowlist: options.notifyAllow ?? [] }
      const callback_url = parseCallback(await targets.urlOf(options.notify), networkPolicy)
      await notify({ callback_url, profile: options.notifyProfile ?? 'ideal' })
    }
    const { port = 0, adminToken } = options
    const url = port === false ? UNREACHABLE_URL : await server.listen({ host: '127.0.0.1', port })
    const world = (await worlds.acquire(DEFAULT_WORLD))!
    let readyWorld: WorldInfo
    try {
      readyWorld = await readWorldInfo(url, world, worlds)
    } finally {
      worlds.release(world)
    }
    const fetchServer = fetchThrough(server.server, url)
    const fetchOpen: typeof fetch = (input, init) =>
      closing
        ? Promise.reject(new TypeError('fetch failed: the sandbox is closed', { cause: new SandboxClosed() }))
        : fetchServer(input, init)
    const client = control(url, { adminToken, fetch: fetchOpen })
    return {
      ...readyWorld,
      adminToken,
      fetch: fetchOpen,
      ...worldMethods(client, readyWorld),
      async notify(target, setting = {}) {
        if (closing) throw new SandboxClosed()
        const callback_url = await targets.urlOf(target)
        const path = { id: readyWorld.application.id }
        return client.call('PUT /applications/{id}/notifications', { path, body: { ...setting, callback_url } })
      },
      close,
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error instanceof InvalidTarget
      ? new TypeError(`sandbox: notify ${error.message}`)
      : toStartError(error, options)
  }
}

/** How errors name the options. */
const NAMES: OptionNames = { port: 'port', freePort: 'port: 0', host: 'host', data: 'data' }

function toStartError(error: unknown, { port, data }: SandboxOptions): unknown {
  const problem = explainStartError(error as Error, { host: '127.0.0.1', port: port || 0, data }, NAMES)
  return problem ? new Error(problem.message, { cause: error }) : error
}

/** Returns a function that closes the server after the requests in flight, at most CLOSE_TIMEOUT_MS later. */
function createStop(server: FastifyInstance): () => Promise<void> {
  const http = server.server
  let inFlight = 0
  http.on('request', (_, response) => {
    inFlight++
    response.once('close', () => inFlight--)
  })
  return async () => {
    // The server would wait for connections that clients have opened, but not used yet.
    const poll = setInterval(() => inFlight === 0 && http.closeAllConnections(), 5)
    const timeout = setTimeout(() => http.closeAllConnections(), CLOSE_TIMEOUT_MS)
    try {
      await server.close()
    } finally {
      clearInterval(poll)
      clearTimeout(timeout)
    }
  }
}

/** The server with its world. */
async function openApp(options: SandboxOptions): Promise<App> {
  const { scenario, seed, now, switches, load, file, data, record } = parseOptions(options)
  const isKept = data !== undefined
  const shared = isKept ? undefined : sharedFolder()
  const folder: Folder = isKept ? openDataFolder(data) : shared!.folder()
  const worldFilePath = join(folder.path, 'load.json')
  if (file) writeFileSync(worldFilePath, JSON.stringify(file), { mode: 0o600 })
  let app: App | undefined
  try {
    app = await build({
      folder,
      mode: isKept ? 'kept' : 'temporary',
      scenario,
      seed,
      now,
      switches,
      load: file ? worldFilePath : load,
      secret: isKept,
      adminToken: options.adminToken,
      allowlist: options.notifyAllow ?? [],
      explain: options.explain,
      record,
      templates: shared?.templates,
      startup: { node: process.versions.node, settings: [] },
      // biome-ignore lint/suspicious/noConsole: a test process has no other place for unexpected errors
      onFault: options.onFault ?? ((error) => console.error(error)),
    })
    const world = (await app.worlds.acquire(DEFAULT_WORLD))!
    rejectMismatch(world, options)
    app.worlds.release(world)
    return app
  } catch (error) {
    if (app) await app.server.close()
    else folder.release()
    throw error
  } finally {
    if (file) rmSync(worldFilePath, { force: true })
  }
}
