import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { createInterface } from 'node:readline'
import type { WorldInfo } from '../../control/worlds/world_info.ts'

/** How an executable is started: the words before its own arguments, its folder and its environment. */
export interface Invocation {
  command: string[]
  cwd: string
  env: Record<string, string>
}

interface Result {
  code: number | null
  output: string
  errors: string
}

export function runToEnd({ command: [file, ...before], cwd, env }: Invocation, ...args: string[]): Result {
  const options = { cwd, env, encoding: 'utf8', timeout: 60_000, maxBuffer: 2 ** 26 } as const
  const { status, error, stdout, stderr } = spawnSync(file!, [...before, ...args], options)
  if (error) throw error
  return { code: status, output: stdout, errors: stderr }
}

/** A running process. */
interface RunningProcess {
  /** All lines so far, of both streams. */
  lines: string[]
  /** Resolves with the first line that matches. Rejects when the process ends before. */
  waitForLine(pattern: RegExp): Promise<string>
  /** Sends a signal; resolves with the exit code, or with the signal that ended the process. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export function start({ command: [file, ...before], cwd, env }: Invocation, ...args: string[]): RunningProcess {
  const child = spawn(file!, [...before, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  const lines: string[] = []
  const changes = new EventEmitter()
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      changes.emit('change')
    })
  const closed = once(child, 'close').then(([code, signal]: (number | NodeJS.Signals)[]) => {
    running.delete(child)
    changes.emit('change')
    return code ?? signal!
  })
  return {
    lines,
    async waitForLine(pattern) {
      for (;;) {
        const found = lines.find((line) => pattern.test(line))
        if (found !== undefined) return found
        if (!running.has(child)) throw new Error(`${args.join(' ')} ended: ${lines.join('\n')}`)
        await once(changes, 'change', { signal: AbortSignal.timeout(20_000) })
      }
    },
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return closed
    },
  }
}

/** A server on a free port, with the line that it prints when it is ready. */
export async function startServer(invocation: Invocation, ...flags: string[]): Promise<RunningProcess & WorldInfo> {
  const server = start(invocation, 'start', '--port', '0', '--ready-json', ...flags)
  return { ...server, ...(JSON.parse(await server.waitForLine(/^\{/)) as WorldInfo) }
}

/** The body of an answer. Throws when it has another status. */
export async function fetchText(url: string, init?: RequestInit, status = 200): Promise<string> {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) })
  const body = await answer.text()
  if (answer.status !== status) throw new Error(`${url} answered ${answer.status}: ${body}`)
  return body
}
