import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { WorldInfo } from '../control/worlds/world_info.ts'
import type { Played, Round } from './load.ts'

// Processes and files of a run; all are gone when it ends, however it ends.

export const SERVER_CORE = 0
const LOAD_CORE = 1

/** A file of the repository. */
export const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
export const progress = (text: string) => process.stderr.write(`${text}\n`)

const children = new Set<ChildProcess>()
// Named unlike the server's temporary folders: those are swept by the next one that starts.
export const folder = mkdtempSync(join(tmpdir(), 'bench-mercadito-'))
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

export interface How {
  /** The core that it stays on; default: any. */
  core?: number
  ipc?: boolean
  /** What it prints is thrown away. */
  silent?: boolean
  /** Default: Node. */
  program?: string
  env?: NodeJS.ProcessEnv
  cwd?: string
}

export function launch(args: string[], how: How = {}): ChildProcess {
  const { core, ipc = false, silent = false, program = process.execPath, env = process.env, cwd } = how
  // taskset becomes the program: the id stays.
  const [command, ...rest] = [...(core === undefined ? [] : ['taskset', '-c', String(core)]), program, ...args]
  const child = spawn(command!, rest, {
    stdio: ipc
      ? ['ignore', 'ignore', 'inherit', 'ipc']
      : ['ignore', silent ? 'ignore' : 'pipe', silent ? 'ignore' : 'inherit'],
    ...(ipc && { serialization: 'advanced' }),
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

/** A server that tells where it listens. */
export interface Told extends Server {
  /** The line that it printed when it was ready. */
  told: WorldInfo
}

export const serverOf = (child: ChildProcess, port: number): Server => ({
  pid: child.pid!,
  port,
  async stop() {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), 5000)
    await ended
    clearTimeout(late)
  },
})

/** Starts a server that prints where it listens. */
export async function serve(args: string[], how: How = {}): Promise<Told> {
  const child = launch(args, how)
  const told = JSON.parse(await firstLine(child)) as WorldInfo
  return { ...serverOf(child, Number(new URL(told.url).port)), told }
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line
  throw new Error(`${child.spawnargs.join(' ')} ended before it was ready`)
}

/** Flags of our own server; `data` is the folder of a kept world. */
export const flagsOf = (data: string | undefined) => [...(data ? ['--data', data] : []), '--ready-json', '--port', '0']
export const ourServer = (data: string | undefined, how: How = {}) =>
  serve([at('dist/mercadito.js'), ...flagsOf(data)], how)

/** Seconds on a core, all threads, in steps of 10 ms. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

export const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]) / 1024

/** Nanoseconds on a core, all threads that there are now. */
export const cpuNanoseconds = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + nanosecondsOf(`/proc/${pid}/task/${thread}`), 0)

function nanosecondsOf(thread: string): number {
  try {
    return Number(readFileSync(`${thread}/schedstat`, 'latin1').split(' ')[0])
  } catch {
    // It has ended since they were listed, as those of a JVM do.
    return 0
  }
}

/** The process that load.ts is. */
export class Load {
  readonly #child = launch([at('bench/load.ts')], { core: LOAD_CORE, ipc: true })

  async play(round: Round): Promise<Played> {
    this.#child.send(round)
    const [answer] = (await once(this.#child, 'message')) as [{ played?: Played; failed?: string }]
    if (!answer.played) throw new Error(answer.failed)
    return answer.played
  }

  stop(): void {
    this.#child.disconnect()
  }
}
