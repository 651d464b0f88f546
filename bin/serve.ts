import { resolve } from 'node:path'
import { build } from '../app.ts'
import { openDataFolder, createTemporaryFolder } from '../db/folders.ts'
import type { Switches } from '../db/switches.ts'
import type { World } from '../db/world.ts'
import { DEFAULT_WORLD } from '../db/worlds.ts'
import type { ProfileName } from '../domains/notifications/profiles.ts'
import { InvalidTarget, type NetworkPolicy, parseTarget } from '../domains/notifications/targets.ts'
import { type Ready as OfWorld, ready } from '../domains/sandbox/ready.ts'
import { temporaryRoot } from '../lib/home.ts'
import { findOptionMismatch } from '../lib/made.ts'
import type { Scenario } from '../scenarios/roster.ts'
import { banner } from './banner.ts'
import { badUsage, EXIT, Failure, type Terminal } from './failure.ts'
import { type Log, type LogFormat, openLog } from './log.ts'
import { boundMemory } from './memory.ts'
import { startFailure } from './start_failure.ts'
import { endOnSignal, stop } from './stopping.ts'
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
  assume?: Partial<Switches>
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
  given(name: string): boolean
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/

/**
 * What is told when it listens; `certificate`: the file that clients need to trust it, where nobody else vouches for
 * it.
 */
export type Ready = OfWorld & { certificate?: string }

/** A server that listens. */
export interface Listening {
  told: Ready
  /** Stops it; a temporary world is gone then. */
  close(): Promise<void>
}

/** Runs the server until a signal ends it. Throws an Error with one clear line when it cannot start. */
export async function serve(flags: Flags, terminal: Terminal): Promise<void> {
  const log = await openLog(flags.log ?? 'off')
  boundMemory()
  const signals = endOnSignal((signal) => log.say('stopping', { signal }))
  let text = ''
  const { told, close } = await listen(
    flags,
    async (told, home) => {
      text = flags.readyJson ? `${JSON.stringify(told)}\n` : await banner(told, home)
    },
    log,
  )
  signals.serves(async () => {
    await close()
    log.say('stopped')
  })
  log.say('listening', { url: told.url, ...told.world })
  terminal.out(text)
}

/** Starts a server; `look` may read its world. Throws an Error with one clear line when it cannot start. */
export async function listen(
  flags: Flags,
  look: (told: Ready, home: World) => Promise<void> = async () => {},
  log?: Log,
): Promise<Listening> {
  const { onFault, onNotice, onOver } = log ?? (await openLog('off'))
  const { host, port, data, scenario, seed, now = null, adminToken, assume: switches = {}, load } = flags
  const wide = !LOOPBACK.test(host)
  if (wide && adminToken === undefined)
    throw new Failure(
      `--host ${host} lets other machines in: name with --admin-token or MERCADITO_ADMIN_TOKEN what control calls must bear`,
      EXIT.usage,
    )
  const listed = flags.notifyAllow ?? []
  checkTls(flags)
  // With port 0 it is not known yet: an attempt that leads here is refused then.
  const bound = (host === 'localhost' ? ['127.0.0.1', '::1'] : [host]).map((address) => ({ address, port }))
  const wish = wishOf(flags, { isExposed: wide, allowlist: listed, listenAddresses: () => bound })
  const mode = data === undefined ? 'temporary' : 'kept'
  try {
    const folder = data === undefined ? createTemporaryFolder(temporaryRoot()) : openDataFolder(resolve(data))
    const secret = mode === 'kept' || wide
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
      exposed: wide,
      allowlist: listed,
      onFault,
      onNotice,
      onRequestEnd: onOver,
      tls,
    }).catch((error) => {
      folder.release()
      throw error
    })
    try {
      const home = (await worlds.acquire(DEFAULT_WORLD))!
      refuseOtherWorld(home, flags)
      if (wish) await notify(wish)
      // Many that come at once wait there instead of being dropped, which a client takes seconds to notice.
      await server.listen({ host, port, backlog: 4096 })
      const { port: taken } = server.server.address() as { port: number }
      const scheme = tls ? 'https' : 'http'
      const ours = await ready(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${taken}`, home, worlds)
      const told = tls?.certificate === undefined ? ours : { ...ours, certificate: tls.certificate }
      await look(told, home)
      worlds.release(home)
      return { told, close: () => stop(server) }
    } catch (error) {
      await server.close()
      throw error
    }
  } catch (error) {
    throw startFailure(error as NodeJS.ErrnoException, flags)
  }
}

/** Where changes are told from the start, if anywhere. Throws a Failure before anything is made. */
function wishOf({ notify, notifyProfile, given }: Flags, reach: NetworkPolicy) {
  if (notify === undefined) {
    if (given('notifyProfile')) throw badUsage('--notify-profile says how: name with --notify where')
    return undefined
  }
  try {
    return { callback_url: parseTarget(notify, reach).href, profile: notifyProfile ?? ('ideal' as const) }
  } catch (error) {
    if (!(error instanceof InvalidTarget)) throw error
    const remedy = error.message.endsWith('unless listed') ? '; list more with --notify-allow' : ''
    throw badUsage(`--notify or MERCADITO_NOTIFY: ${error.message}${remedy}`)
  }
}

function refuseOtherWorld(home: World, flags: Flags): void {
  const { data, load, assume } = flags
  const asked = <N extends 'scenario' | 'seed' | 'now'>(name: N) => (flags.given(name) ? flags[name] : undefined)
  const other = findOptionMismatch(home, {
    load,
    assume,
    scenario: asked('scenario'),
    seed: asked('seed'),
    now: asked('now'),
  })
  if (other)
    throw new Error(
      `the world in ${data} was made with ${other.made}; leave out --${other.option} or use another folder`,
    )
}
