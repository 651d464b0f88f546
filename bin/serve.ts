import { resolve } from 'node:path'
import { build } from '../app.ts'
import { readWorldInfo } from '../control/worlds/world_info.ts'
import { createTemporaryFolder, openDataFolder } from '../db/folders.ts'
import type { Switches, World } from '../db/world.ts'
import { DEFAULT_WORLD } from '../db/worlds.ts'
import type { ProfileName } from '../domains/notifications/profiles.ts'
import { InvalidTarget, type NetworkPolicy, parseTarget } from '../domains/notifications/targets.ts'
import { findOptionMismatch } from '../lib/option_mismatch.ts'
import { temporaryRoot } from '../lib/temporary_root.ts'
import type { Scenario } from '../scenarios/names.ts'
import { formatBanner, type ServerInfo } from './banner.ts'
import { CliError, EXIT, type Terminal, usageError } from './errors.ts'
import { type Log, type LogFormat, openLog } from './log.ts'
import { limitYoungGeneration } from './memory.ts'
import { handleSignals, shutDown } from './shutdown.ts'
import { toStartError } from './start_errors.ts'
import { checkTls, readTls, type TlsFlags } from './tls.ts'

export interface Flags extends TlsFlags {
  port: number
  host: string
  data?: string
  scenario: Scenario
  seed: number
  /** Ms. */
  now?: number
  /** What new worlds assume. */
  assume?: Switches
  /** A world file that the world is laid out from, where it is new. */
  load?: string
  /** What control calls must bear. */
  adminToken?: string
  /** Where the default world's first application is told of changes. */
  notify?: string
  notifyProfile?: ProfileName
  /** Where notifications may go besides. */
  notifyAllow?: string[]
  log?: LogFormat
  readyJson?: boolean
  /** Whether the person gave a flag, or it has its default. */
  isGiven(name: string): boolean
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/

/** A server that listens. */
export interface RunningServer {
  info: ServerInfo
  /** Stops it; a temporary world is gone then. */
  close(): Promise<void>
}

/** Runs the server until a signal ends it. Throws an Error with one clear line when it cannot start. */
export async function serve(flags: Flags, terminal: Terminal): Promise<void> {
  const log = await openLog(flags.log ?? 'off')
  limitYoungGeneration()
  const signals = handleSignals((signal) => log.info('stopping', { signal }))
  let text = ''
  const { info, close } = await listen(
    flags,
    async (info, defaultWorld) => {
      text = flags.readyJson ? `${JSON.stringify(info)}\n` : await formatBanner(info, defaultWorld)
    },
    log,
  )
  signals.onShutdown(async () => {
    await close()
    log.info('stopped')
  })
  log.info('listening', { url: info.url, ...info.world })
  terminal.out(text)
}

/** Starts a server; `look` may read its world. Throws an Error with one clear line when it cannot start. */
export async function listen(
  flags: Flags,
  onReady: (info: ServerInfo, defaultWorld: World) => Promise<void> = async () => {},
  log?: Log,
): Promise<RunningServer> {
  const { onFault, onNotice, onOver } = log ?? (await openLog('off'))
  const { host, port, data, scenario, seed, now = null, adminToken, assume: switches = {}, load } = flags
  const isExposed = !LOOPBACK.test(host)
  if (isExposed && adminToken === undefined)
    throw new CliError(
      `--host ${host} lets other machines in: name with --admin-token or MERCADITO_ADMIN_TOKEN what control calls must bear`,
      EXIT.usage,
    )
  const allowlist = flags.notifyAllow ?? []
  checkTls(flags)
  // With port 0 it is not known yet: an attempt that leads here is refused then.
  const ownAddresses = (host === 'localhost' ? ['127.0.0.1', '::1'] : [host]).map((address) => ({ address, port }))
  const startupSubscription = readStartupSubscription(flags, {
    isExposed,
    allowlist,
    listenAddresses: () => ownAddresses,
  })
  const mode = data === undefined ? 'temporary' : 'kept'
  try {
    const folder = data === undefined ? createTemporaryFolder(temporaryRoot()) : openDataFolder(resolve(data))
    const secret = mode === 'kept' || isExposed
    const tls = await readTls(flags, host, folder.path, mode === 'kept').catch((error) => {
      folder.release()
      throw error
    })
    const { server, worlds, notify } = await build({
      folder,
      mode,
      scenario,
      seed,
      now,
      switches,
      load,
      secret,
      adminToken,
      isExposed,
      allowlist,
      onFault,
      onNotice,
      onRequestEnd: onOver,
      tls,
    }).catch((error) => {
      folder.release()
      throw error
    })
    try {
      const defaultWorld = (await worlds.acquire(DEFAULT_WORLD))!
      rejectOtherWorld(defaultWorld, flags)
      if (startupSubscription) await notify(startupSubscription)
      // Many that come at once wait there instead of being dropped, which a client takes seconds to notice.
      await server.listen({ host, port, backlog: 4096 })
      const { port: actualPort } = server.server.address() as { port: number }
      const scheme = tls ? 'https' : 'http'
      const worldInfo = await readWorldInfo(
        `${scheme}://${host.includes(':') ? `[${host}]` : host}:${actualPort}`,
        defaultWorld,
        worlds,
      )
      const info = tls?.certificateFile === undefined ? worldInfo : { ...worldInfo, certificate: tls.certificateFile }
      await onReady(info, defaultWorld)
      worlds.release(defaultWorld)
      return { info, close: () => shutDown(server) }
    } catch (error) {
      await server.close()
      throw error
    }
  } catch (error) {
    throw toStartError(error as NodeJS.ErrnoException, flags)
  }
}

/** Where changes are told from the start, if anywhere. Throws a Failure before anything is made. */
function readStartupSubscription({ notify, notifyProfile, isGiven }: Flags, networkPolicy: NetworkPolicy) {
  if (notify === undefined) {
    if (isGiven('notifyProfile')) throw usageError('--notify-profile says how: name with --notify where')
    return undefined
  }
  try {
    return { callback_url: parseTarget(notify, networkPolicy).href, profile: notifyProfile ?? ('ideal' as const) }
  } catch (error) {
    if (!(error instanceof InvalidTarget)) throw error
    const remedy = error.message.endsWith('unless listed') ? '; list more with --notify-allow' : ''
    throw usageError(`--notify or MERCADITO_NOTIFY: ${error.message}${remedy}`)
  }
}

function rejectOtherWorld(defaultWorld: World, flags: Flags): void {
  const { data, load, assume } = flags
  const ifGiven = <N extends 'scenario' | 'seed' | 'now'>(name: N) => (flags.isGiven(name) ? flags[name] : undefined)
  const difference = findOptionMismatch(defaultWorld, {
    load,
    assume,
    scenario: ifGiven('scenario'),
    seed: ifGiven('seed'),
    now: ifGiven('now'),
  })
  if (difference)
    throw new Error(
      `the world in ${data} was made with ${difference.made}; leave out --${difference.option} or use another folder`,
    )
}
