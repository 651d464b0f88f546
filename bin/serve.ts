import { resolve } from 'node:path'
import { type App, build } from '../app.ts'
import type { StartSetting } from '../control/service/server.ts'
import type { OnMiss } from '../control/stubs/propose.ts'
import { createWorldInfo } from '../control/worlds/world_info.ts'
import { createTemporaryFolder, openDataFolder } from '../db/folders.ts'
import type { Switches, World } from '../db/world.ts'
import { acquireHere, DEFAULT_WORLD } from '../db/worlds.ts'
import { InvalidTarget, type NetworkPolicy } from '../domains/notifications/outbound/network_policy.ts'
import { parseCallback } from '../domains/notifications/outbound/targets.ts'
import type { ProfileName } from '../domains/notifications/settings/profiles.ts'
import { readCredentials } from '../domains/oauth/operations.ts'
import type { Terminal } from '../domains/shared/commands.ts'
import type { Metric } from '../http/metric.ts'
import { usageError } from '../lib/cli/errors.ts'
import { findOptionMismatch } from '../lib/options.ts'
import { toStartError } from '../lib/start_errors.ts'
import { temporaryRoot } from '../lib/temporary_root.ts'
import type { Scenario } from '../scenarios/names.ts'
import { readViewerToken } from './admin_token.ts'
import { formatBanner, type ServerInfo } from './banner.ts'
import { toDatabaseError } from './database.ts'
import { type Log, type LogFormat, openLog } from './log.ts'
import type { MissMode } from './misses.ts'
import { openReadyFile } from './ready_file.ts'
import { handleSignals, shutDown } from './shutdown.ts'
import { checkTls, readTls, type TlsFlags } from './tls.ts'
import { setReadyFlags } from './v8_flags.ts'

export interface Flags extends TlsFlags {
  port: number
  host: string
  data?: string
  /** `postgres://…`: where the worlds are, for several servers. */
  database?: string
  /** The base address at which other servers reach this one. */
  advertise?: string
  /** Ms; not parsed if it is the default. */
  lease?: number | string
  scenario: Scenario
  seed: number
  /** Ms. */
  now?: number
  /** Assumptions of new worlds. */
  assume?: Switches
  /** A world file that a new world is created from. */
  load?: string
  /** Required by control calls. */
  adminToken?: string
  /** Contains the token of viewers. */
  viewerTokenFile?: string
  /** Receives the notifications of the default world's first application. */
  notify?: string
  notifyProfile?: ProfileName
  /** Further hosts that notifications may be sent to. */
  notifyAllow?: string[]
  /** A new file for the calls. */
  record?: string
  /** The base address at which clients reach the server. */
  publicUrl?: string
  /** Addresses and blocks of proxies. */
  trustProxy?: string[]
  /** `host:port` where it answers for the hosts of the marketplace, too. */
  interceptTls?: string
  /** A folder with the authority for it. */
  interceptAuthority?: string
  log?: LogFormat
  /** Refused answers have the address of their explanation. */
  explain?: boolean
  /** Calls that nothing answers become proposed stubs. */
  miss?: MissMode
  /** Receives the proposed stubs; else the terminal shows them. */
  onMiss?: OnMiss | undefined
  /** Automatic snapshots before writes of programs, of each world; default: none. */
  autoSnapshots?: number
  readyJson?: boolean
  readyFile?: string
  /** All settings with their sources; default: none. */
  settings?: StartSetting[]
  /** Whether a flag was given, on the command line or in the environment. */
  isGiven(name: string): boolean
}

const DEFAULT_LEASE_MS = 10_000
const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/

/** A listening server. */
export interface RunningServer {
  info: ServerInfo
  /** Stops it; a temporary world is deleted. */
  close(): Promise<void>
}

/** Runs the server until a signal ends it. Throws a CliError if it cannot start. */
export async function serve(flags: Flags, terminal: Terminal): Promise<void> {
  const log = await openLog(flags.log ?? 'off')
  const signals = handleSignals((signal) => log.info('stopping', { signal }))
  const readyFile = flags.readyFile === undefined ? undefined : openReadyFile(flags.readyFile)
  let text = ''
  const { info, close } = await listen(
    flags,
    async (info, defaultWorld) => {
      readyFile?.write(info)
      if (flags.readyJson) text = `${JSON.stringify(info)}\n`
      else text = readyFile ? `mercadito listens on ${info.url}\n` : await formatBanner(info, defaultWorld)
    },
    log,
  )
  signals.onShutdown(async () => {
    readyFile?.remove()
    await close()
    log.info('stopped')
    await log.flush()
  })
  log.info('listening', { url: info.url, ...info.world })
  terminal.out(text)
}

/** Starts a server; `onReady` may read its world. Throws a CliError if it cannot start. */
export async function listen(
  flags: Flags,
  onReady: (info: ServerInfo, defaultWorld: World | undefined) => Promise<void> = async () => {},
  log?: Log,
): Promise<RunningServer> {
  const { host, port, adminToken, notifyAllow: allowlist = [], publicUrl } = flags
  const exposure = readExposure(flags)
  const isExposed = exposure !== undefined
  if (isExposed && adminToken === undefined)
    throw usageError(
      `${exposure} exposes the server to other machines: set a token for control calls with --admin-token, --admin-token-file or MERCADITO_ADMIN_TOKEN`,
    )
  checkTls(flags)
  if ((flags.interceptTls === undefined) !== (flags.interceptAuthority === undefined))
    throw usageError('--intercept-tls needs --intercept-authority, and vice versa')
  const viewerToken = readViewerToken(flags.viewerTokenFile, adminToken)
  // With port 0 the port is not known yet; the check before each attempt rejects it.
  const ownAddresses = (host === 'localhost' ? ['127.0.0.1', '::1'] : [host]).map((address) => ({ address, port }))
  const listenAddresses = () => ownAddresses
  const startupSubscription = readStartupSubscription(flags, { isExposed, allowlist, listenAddresses })
  try {
    let reachedAt = ''
    const reports = log ?? (await openLog('off'))
    const onMiss =
      flags.onMiss ?? (flags.miss && (await import('./misses.ts')).reportMisses(flags.miss, reports, () => reachedAt))
    const { server, worlds, listenOn, attach, notify, tls } = await openServer(
      { ...flags, onMiss },
      { isExposed, viewerToken },
      reports,
    )
    try {
      const defaultWorld = await acquireHere(worlds, DEFAULT_WORLD)
      if (defaultWorld) rejectOtherWorld(defaultWorld, flags)
      if (startupSubscription) await notify(startupSubscription)
      // Connections beyond the backlog are dropped, which clients notice only after seconds.
      await listenOn({ host, port, backlog: 4096 })
      const { port: actualPort } = server.server.address() as { port: number }
      const scheme = tls ? 'https' : 'http'
      const url = publicUrl ?? `${scheme}://${host.includes(':') ? `[${host}]` : host}:${actualPort}`
      reachedAt = url
      const worldInfo = createWorldInfo(url, DEFAULT_WORLD, await worlds.read(DEFAULT_WORLD, readCredentials), worlds)
      const info: ServerInfo = {
        ...worldInfo,
        ...(tls?.certificateFile !== undefined && { certificate: tls.certificateFile }),
        ...(flags.interceptTls !== undefined && { intercept: await listenForMarketplace(attach, flags) }),
      }
      await onReady(info, defaultWorld)
      setReadyFlags()
      if (defaultWorld) worlds.release(defaultWorld)
      return { info, close: () => shutDown(server) }
    } catch (error) {
      await server.close()
      throw error
    }
  } catch (error) {
    const known = flags.database === undefined ? error : await toDatabaseError(error as Error, flags.database)
    throw await toStartError(known as NodeJS.ErrnoException, flags)
  }
}

/** Lazy: most servers need no authority. */
async function listenForMarketplace(attach: App['attach'], { interceptTls, interceptAuthority }: Flags) {
  const { listenForMarketplace } = await import('../intercept/listener.ts')
  return listenForMarketplace(attach, interceptTls!, interceptAuthority!)
}

/** Builds the server in its data folder, or in a temporary one. */
async function openServer(
  flags: Flags,
  { isExposed, viewerToken }: { isExposed: boolean; viewerToken: string | undefined },
  { onFault, onNotice, onRequestEnd, droppedLines }: Log,
) {
  const { host, data, scenario, seed, now = null, assume: switches = {}, load, adminToken, publicUrl } = flags
  const isKept = data !== undefined
  const folder = isKept ? openDataFolder(resolve(data)) : createTemporaryFolder(temporaryRoot())
  try {
    const tls = await readTls(flags, host, folder.path, isKept)
    const app = await build({
      folder,
      mode: isKept ? 'kept' : 'temporary',
      sharing: await readSharing(flags),
      scenario,
      seed,
      now,
      switches,
      load,
      secret: isKept || isExposed || flags.database !== undefined,
      adminToken,
      viewerToken,
      isExposed,
      allowlist: flags.notifyAllow ?? [],
      record: flags.record === undefined ? undefined : resolve(flags.record),
      onFault,
      onNotice,
      onRequestEnd,
      metrics: [droppedMetric(droppedLines)],
      tls,
      publicUrl,
      explain: flags.explain,
      miss: flags.miss && { mode: flags.miss, onMiss: flags.onMiss! },
      autoSnapshots: flags.autoSnapshots,
      trustedProxies: flags.trustProxy,
      startup: { node: process.versions.node, settings: flags.settings ?? [] },
    })
    return { ...app, tls }
  } catch (error) {
    folder.release()
    throw error
  }
}

/** Lazy: most servers share nothing. */
async function readSharing({ database: url, advertise, lease, trustProxy, isGiven }: Flags) {
  if (url !== undefined) {
    const { shareWorlds } = await import('../cluster/index.ts')
    const leaseMs = typeof lease === 'number' ? lease : DEFAULT_LEASE_MS
    return shareWorlds({ url, advertise: advertise ?? null, leaseMs, isBehindProxy: trustProxy !== undefined })
  }
  for (const name of ['advertise', 'lease']) if (isGiven(name)) throw usageError(`--${name} needs --database`)
  return undefined
}

const droppedMetric = (read: () => number): Metric => ({
  kind: 'counter',
  name: 'mercadito_log_lines_dropped_total',
  help: 'Lines of the log that were dropped because they were not read',
  read,
})

/** The flag by which other machines can reach the server; undefined if they cannot. */
function readExposure({ host, publicUrl, trustProxy, interceptTls }: Flags): string | undefined {
  if (!LOOPBACK.test(host)) return `--host ${host}`
  if (publicUrl !== undefined) return '--public-url'
  if (trustProxy) return '--trust-proxy'
  return interceptTls === undefined ? undefined : '--intercept-tls'
}

/** The startup subscription, if any. Throws a CliError before the server creates anything. */
function readStartupSubscription({ notify, notifyProfile, isGiven }: Flags, networkPolicy: NetworkPolicy) {
  if (notify === undefined) {
    if (isGiven('notifyProfile')) throw usageError('--notify-profile needs --notify')
    return undefined
  }
  try {
    return { callback_url: parseCallback(notify, networkPolicy), profile: notifyProfile ?? ('ideal' as const) }
  } catch (error) {
    if (!(error instanceof InvalidTarget)) throw error
    const remedy = error.message.endsWith('unless allowlisted') ? '; allow more with --notify-allow' : ''
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
      `the world in ${data} was created with ${difference.made}; omit --${difference.option} or use another folder`,
    )
}
