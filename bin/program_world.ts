import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { WorldInfo } from '../control/worlds/world_info.ts'
import { type Flags, parseDuration, path, printable, type Setting } from '../domains/shared/commands.ts'
import { createClient } from '../lib/cli/client.ts'
import { CliError } from '../lib/cli/errors.ts'
import { creator, newWorld } from './commands/world.ts'
import { loadWorldFile } from './commands/world_file.ts'
import { loadServer } from './load_server.ts'
import { url } from './settings.ts'

export const SERVER_FLAG: Setting = {
  ...url,
  defaultValue: undefined,
  description: 'create the world on this running server instead, and delete it afterwards',
}

export const EXPIRES_IN: Setting = {
  flags: '--expires-in <duration>',
  description: 'with --url: the server deletes the world after this, even if this program is killed',
  defaultValue: 3_600_000,
  defaultText: '1h',
  parse: parseDuration,
}

/** A world that exists while the program runs. */
interface TemporaryWorld {
  world: WorldInfo
  remove(): Promise<unknown>
}

/**
 * A new world on a server of its own, or with --url on a running one. `isGiven`: whether a flag was set by the user;
 * `command`: which one creates it.
 */
export const openWorld = (
  flags: Flags,
  isGiven: (name: string) => boolean,
  command: string,
): Promise<TemporaryWorld> =>
  flags.url === undefined ? startOwnServer(flags, isGiven) : createRemoteWorld(flags, command)

/** A server in this process, on a free port. */
async function startOwnServer(flags: Flags, isGiven: (name: string) => boolean): Promise<TemporaryWorld> {
  const { listen } = await loadServer()
  const { info, close } = await listen({
    ...(flags as Parameters<typeof listen>[0]),
    host: '127.0.0.1',
    port: 0,
    isGiven,
  })
  return { world: info, remove: close }
}

/** A new world on a running server. */
async function createRemoteWorld(
  { url, adminToken, ca, load, ...flags }: Flags,
  command: string,
): Promise<TemporaryWorld> {
  const userAgent = `mercadito ${command}`
  const { server } = createClient(url, { adminToken, ca, userAgent })
  const by = `${command} by ${creator()}`
  const world: WorldInfo = await server.call('POST /worlds', newWorld({ ...flags, name: undefined }, by))
  const remove = async () => {
    const endpoint = path`DELETE /worlds/${world.world.id}`
    const answer = await server.request(endpoint)
    // It may have expired.
    if (answer.status !== 404) server.requireSuccess(endpoint, answer)
  }
  if (load === undefined) return { world, remove }
  try {
    return { world: await loadWorldFile(createClient(world.url, { adminToken, ca, userAgent }), load), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Ms that a program has to end itself. */
const KILL_AFTER_MS = 5000

interface RunOptions {
  /** Its output goes to standard error. */
  toStandardError?: boolean
  /** Ends the program. */
  signal?: AbortSignal
}

/** Runs a program; resolves with its exit code, as a shell reports it. */
export function runProgram(
  [file, ...args]: string[],
  env: NodeJS.ProcessEnv,
  { toStandardError = false, signal }: RunOptions = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(file!, args, {
      env,
      stdio: ['inherit', toStandardError ? 2 : 'inherit', 'inherit'],
      // On Windows npm and others are scripts, which need a shell.
      shell: process.platform === 'win32',
    })
    const forward = (signal: NodeJS.Signals) => {
      // A terminal sends Ctrl-C to all foreground processes itself.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    }
    for (const signal of FORWARDED_SIGNALS) process.on(signal, forward)
    let killing: NodeJS.Timeout | undefined
    signal?.addEventListener('abort', () => {
      child.kill('SIGTERM')
      killing = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
    })
    const done = () => {
      clearTimeout(killing)
      for (const signal of FORWARDED_SIGNALS) process.off(signal, forward)
    }
    child.on('error', (error: NodeJS.ErrnoException) => {
      done()
      const [code, reason] = error.code === 'ENOENT' ? [127, 'was not found'] : [126, 'cannot be run']
      reject(new CliError(`${printable(file)} ${reason}; check that it is installed and in PATH`, code))
    })
    child.on('exit', (code, signal) => {
      done()
      resolve(code ?? 128 + constants.signals[signal!])
    })
  })
}
