import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { WorldInfo } from '../../control/worlds/world_info.ts'
import { program } from '../support/bundle.ts'
import type { Owner } from '../support/torture.ts'
import { freePort } from './postgres.ts'

/** A server of a cluster, in a process of its own. */
export interface Node {
  /** At which clients reach it. */
  url: string
  /** At which other nodes reach it. */
  advertised: string
  info: WorldInfo
  /** Standard error so far. */
  errors(): string
  signal(signal: NodeJS.Signals): void
  /** Resolves when it has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

export interface NodeOptions {
  databaseUrl: string
  leaseMs: number
  /** For its temporary files, which a killed node leaves behind. */
  folder: string
  /** On which it listens. */
  host?: string
  /** At which clients reach it. */
  address?: string
  /** At which other nodes reach it. */
  peerAddress?: string
  /** A command that runs the server, such as `ip netns exec NAME`. */
  prefix?: string[]
  env?: NodeJS.ProcessEnv
  isNewer?: boolean
  flags?: string[]
}

const NEWER = fileURLToPath(new URL('./newer_version.ts', import.meta.url))

/** Starts a server and waits until it is ready. Rejects with its standard error if it ends before. */
export async function startNode(t: Owner, options: NodeOptions): Promise<Node> {
  const { host = '127.0.0.1', address = host, peerAddress = address, prefix = [], flags = [] } = options
  const port = await freePort()
  const advertised = `http://${peerAddress}:${port}`
  const [command, ...args] = [
    ...prefix,
    process.execPath,
    ...(options.isNewer ? [NEWER] : [program, '--ready-json', `--host=${host}`]),
    ...[`--port=${port}`, `--advertise=${advertised}`],
    ...[`--database=${options.databaseUrl}`, `--lease=${options.leaseMs}ms`],
    ...flags,
  ]
  const child = spawn(command!, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: options.folder, ...options.env },
    // In a group of its own, which gets the signals: some of the commands wait for the server.
    detached: true,
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const signal = (name: NodeJS.Signals) => {
    if (child.pid && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, name)
  }
  t.teardown(() => signal('SIGKILL'))
  let [output, errors] = ['', '']
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const line = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('\n')) resolve(output.split('\n')[0]!)
    })
    child.on('close', () => reject(new Error(errors)))
    child.on('error', () => reject(new Error(`${command} is missing; on Debian: apt-get install faketime iproute2`)))
  })
  return {
    url: `http://${address}:${port}`,
    advertised,
    info: JSON.parse(await line),
    errors: () => errors,
    signal,
    async stop(name = 'SIGTERM') {
      signal(name)
      await exited
    },
  }
}
