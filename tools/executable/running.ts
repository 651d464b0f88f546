import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { createInterface } from 'node:readline'
import type { WorldInfo } from '../../control/worlds/world_info.ts'

/** How an executable is run: what stands before its own arguments, and where. */
export interface Way {
  command: string[]
  cwd: string
  env: Record<string, string>
}

export interface Ended {
  code: number | null
  output: string
  errors: string
}

/** Runs it to its end. */
export function ended({ command: [file, ...before], cwd, env }: Way, ...args: string[]): Ended {
  const how = { cwd, env, encoding: 'utf8', timeout: 60_000, maxBuffer: 2 ** 26 } as const
  const { status, error, stdout, stderr } = spawnSync(file!, [...before, ...args], how)
  if (error) throw error
  return { code: status, output: stdout, errors: stderr }
}

/** A process that goes on. */
export interface Running {
  /** All lines so far, of both streams. */
  lines: string[]
  /** The first line that fits, once it is there. Throws when the process ends before. */
  said(fits: RegExp): Promise<string>
  /** Sends a signal; answers how it ended. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export function begun({ command: [file, ...before], cwd, env }: Way, ...args: string[]): Running {
  const child = spawn(file!, [...before, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  const lines: string[] = []
  const heard = new EventEmitter()
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      heard.emit('more')
    })
  const gone = once(child, 'close').then(([code, signal]: (number | NodeJS.Signals)[]) => {
    running.delete(child)
    heard.emit('more')
    return code ?? signal!
  })
  return {
    lines,
    async said(fits) {
      for (;;) {
        const found = lines.find((line) => fits.test(line))
        if (found !== undefined) return found
        if (!running.has(child)) throw new Error(`${args.join(' ')} ended: ${lines.join('\n')}`)
        await once(heard, 'more', { signal: AbortSignal.timeout(20_000) })
      }
    },
    end(name = 'SIGTERM') {
      child.kill(name)
      return gone
    },
  }
}

/** A server on a free port, and what it told. */
export async function served(way: Way, ...flags: string[]): Promise<Running & WorldInfo> {
  const server = begun(way, 'start', '--port', '0', '--ready-json', ...flags)
  return { ...server, ...(JSON.parse(await server.said(/^\{/)) as WorldInfo) }
}

/** Calls; answers the body. Throws unless the status is this. */
export async function called(url: string, init?: RequestInit, status = 200): Promise<string> {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) })
  const body = await answer.text()
  if (answer.status !== status) throw new Error(`${url} answered ${answer.status}: ${body}`)
  return body
}
