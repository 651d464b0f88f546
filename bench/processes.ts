import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { WorldInfo } from '../control/worlds/world_info.ts'
import { at, root } from '../tools/root.ts'
import { plainEnvironment } from '../tools/run.ts'

// Processes and files of a run, which are removed when it ends.

const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-c', '1', 'true']).status === 0
/** All servers have one core, the load has another. Undefined where processes cannot be pinned. */
export const [SERVER_CORE, LOAD_CORE] = canPin ? [0, 1] : []

export { at }
export const progress = (text: string) => process.stderr.write(`${text}\n`)

const children = new Set<ChildProcess>()
// Not named like the server's temporary folders, which the next server removes.
export const folder = mkdtempSync(join(tmpdir(), 'bench-mercadito-'))
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

export interface LaunchOptions {
  /** The core that it is pinned to; default: any. */
  core?: number | undefined
  hasIpc?: boolean
  /** Discards its output. */
  isSilent?: boolean
  /** Default: Node. */
  program?: string
  env?: NodeJS.ProcessEnv
  cwd?: string
}

export function launch(args: string[], options: LaunchOptions = {}): ChildProcess {
  const { core, hasIpc = false, isSilent = false, program = process.execPath, env = plainEnvironment(), cwd } = options
  // taskset replaces itself with the program, so that the process id is the same.
  const [command, ...rest] = [...(core === undefined ? [] : ['taskset', '-c', String(core)]), program, ...args]
  const output = isSilent ? 'ignore' : hasIpc ? 'inherit' : 'pipe'
  const child = spawn(command!, rest, {
    stdio: ['ignore', output, isSilent ? 'ignore' : 'inherit', ...(hasIpc ? (['ipc'] as const) : [])],
    ...(hasIpc && { serialization: 'advanced' }),
    env,
    cwd,
  })
  children.add(child)
  child.on('exit', () => children.delete(child))
  return child
}

export interface Server {
  pid: number
  port: number
  stop(): Promise<void>
}

/** A server that prints a line when it is ready. */
export interface ReadyServer extends Server {
  /** The content of this line. */
  world: WorldInfo
}

export const serverOf = (child: ChildProcess, port: number): Server => ({
  pid: child.pid!,
  port,
  async stop() {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGCONT')
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
    await ended
    clearTimeout(timer)
  },
})

/** Starts a server that prints where it listens. */
export async function serve(args: string[], options: LaunchOptions = {}): Promise<ReadyServer> {
  const child = launch(args, options)
  const world = JSON.parse(await firstLine(child)) as WorldInfo
  return { ...serverOf(child, Number(new URL(world.url).port)), world }
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line
  throw new Error(`${child.spawnargs.join(' ')} ended before it was ready`)
}

/** Starts the program that is built in `checkout`, by default this one; `data` is the folder of a kept world. */
export const ourServer = (data?: string, options: LaunchOptions = {}, checkout = root): Promise<ReadyServer> =>
  serve([join(checkout, 'dist/mercadito.js'), ...flagsOf(data)], options)
export const flagsOf = (data?: string) => [...(data ? ['--data', data] : []), '--ready-json', '--port', '0']

/** CPU seconds of all threads, in steps of 10 ms. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

export const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]) / 1024
