import { resolve } from 'node:path'
import { build } from '../app.ts'
import { keptFolder, temporaryFolder } from '../db/folders.ts'
import type { Switches } from '../db/switches.ts'
import type { World } from '../db/world.ts'
import { HOME } from '../db/worlds.ts'
import type { ProfileName } from '../domains/notifications/profiles.ts'
import { BadTarget, type Reach, readTarget } from '../domains/notifications/targets.ts'
import { type Ready, ready } from '../domains/sandbox/ready.ts'
import { temporaryHome } from '../lib/home.ts'
import { madeOtherwise } from '../lib/made.ts'
import type { Scenario } from '../scenarios/roster.ts'
import { banner } from './banner.ts'
import { badUsage, EXIT, Failure, type Terminal } from './failure.ts'

export interface Flags {
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
  readyJson?: boolean
  /** Whether the person gave a flag, or it has its default. */
  given(name: string): boolean
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/

/** A server that listens. */
export interface Listening {
  told: Ready
  /** Stops it; a temporary world is gone then. */
  close(): Promise<void>
}

/** Runs the server until a signal ends it. Throws an Error with one clear line when it cannot start. */
export async function serve(flags: Flags, terminal: Terminal): Promise<void> {
  let text = ''
  const { close } = await listen(flags, async (told, home) => {
    text = flags.readyJson ? `${JSON.stringify(told)}\n` : await banner(told, home)
  })
  closeOnSignal(close)
  terminal.out(text)
}

/** Starts a server; `look` may read its world. Throws an Error with one clear line when it cannot start. */
export async function listen(
  flags: Flags,
  look: (told: Ready, home: World) => Promise<void> = async () => {},
): Promise<Listening> {
  const { host, port, data, scenario, seed, now = null, adminToken, assume: switches = {}, load } = flags
  const wide = !LOOPBACK.test(host)
  if (wide && adminToken === undefined)
    throw new Failure(
      `--host ${host} lets other machines in: name with --admin-token or MERCADITO_ADMIN_TOKEN what control calls must bear`,
      EXIT.usage,
    )
  const listed = flags.notifyAllow ?? []
  // With port 0 it is not known yet: an attempt that leads here is refused then.
  const bound = (host === 'localhost' ? ['127.0.0.1', '::1'] : [host]).map((address) => ({ address, port }))
  const wish = wishOf(flags, { wide, listed, own: () => bound })
  const mode = data === undefined ? 'temporary' : 'kept'
  const folder = data === undefined ? temporaryFolder(temporaryHome()) : keptFolder(resolve(data))
  const secret = mode === 'kept' || wide
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
    wide,
    listed,
    onFault,
    onNotice,
  }).catch((error) => {
    folder.release()
    throw error
  })
  const home = (await worlds.hold(HOME))!
  try {
    refuseOtherWorld(home, flags)
    if (wish) await notify(wish)
    await server.listen({ host, port })
    const { port: taken } = server.server.address() as { port: number }
    const told = await ready(`http://${host.includes(':') ? `[${host}]` : host}:${taken}`, home, worlds)
    await look(told, home)
    worlds.letGo(home)
    return { told, close: () => server.close() }
  } catch (error) {
    await server.close()
    throw explained(error as NodeJS.ErrnoException, flags)
  }
}

/** Where changes are told from the start, if anywhere. Throws a Failure before anything is made. */
function wishOf({ notify, notifyProfile, given }: Flags, reach: Reach) {
  if (notify === undefined) {
    if (given('notifyProfile')) throw badUsage('--notify-profile says how: name with --notify where')
    return undefined
  }
  try {
    return { callback_url: readTarget(notify, reach).href, profile: notifyProfile ?? ('ideal' as const) }
  } catch (error) {
    if (!(error instanceof BadTarget)) throw error
    const remedy = error.message.endsWith('unless listed') ? '; list more with --notify-allow' : ''
    throw badUsage(`--notify or MERCADITO_NOTIFY: ${error.message}${remedy}`)
  }
}

function refuseOtherWorld(home: World, flags: Flags): void {
  const { data, load, assume } = flags
  const asked = <N extends 'scenario' | 'seed' | 'now'>(name: N) => (flags.given(name) ? flags[name] : undefined)
  const other = madeOtherwise(home, {
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

function explained(error: NodeJS.ErrnoException, { host, port }: Flags): Error {
  if (error.code === 'EADDRINUSE')
    return new Error(`port ${port} is in use; choose another with --port, or --port 0 for a free one`)
  if (error.code === 'EACCES') return new Error(`port ${port} needs more rights; choose one above 1023 with --port`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new Error(`${host} is no address of this machine`)
  return error
}

/** What a client must not see goes here: the fault itself, never the request. */
function onFault(error: Error): void {
  process.stderr.write(`mercadito: unexpected fault: ${error.stack}\n`)
}

function onNotice(text: string): void {
  process.stderr.write(`mercadito: ${text}\n`)
}

function closeOnSignal(close: () => Promise<unknown>): void {
  let closing = false
  const end = () => {
    if (closing) process.exit(1)
    closing = true
    close().then(() => process.exit(0))
  }
  process.on('SIGINT', end).on('SIGTERM', end)
}
