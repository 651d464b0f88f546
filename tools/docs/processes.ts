import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { at } from '../root.ts'
import { run } from '../run.ts'

/** Ms that a command may take. */
const MAX_MS = 120_000

export interface Place {
  cwd: string
  env: NodeJS.ProcessEnv
}

/** Background programs, each in its own process group, so that its children can be stopped, too. */
export function createProcesses(place: Place) {
  const running = new Map<string, ChildProcess>()

  async function stop(name: string): Promise<void> {
    const child = running.get(name)
    running.delete(name)
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    // The shell ends before the server that it has started, which closes the pipe.
    const ended = once(child, 'close')
    process.kill(-child.pid!, 'SIGTERM')
    await ended
  }

  return {
    has: (name: string) => running.has(name),
    /** Resolves when the program has started: `ready` is `port 3000` or `ready line`. */
    async start(name: string, line: string, ready: string): Promise<void> {
      const port = Number(/^port (\d+)$/.exec(ready)?.[1])
      if (port && (await accepts(port))) throw new Error(`port ${port} is in use`)
      const child = spawn('bash', ['-c', `exec 2>&1; ${line}`], {
        ...place,
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: true,
      })
      running.set(name, child)
      let text = ''
      child.stdout.on('data', (chunk) => {
        text += chunk
      })
      const end = Date.now() + MAX_MS
      while (!(port ? await accepts(port) : text.includes('"url":'))) {
        if (child.exitCode !== null || Date.now() > end) throw new Error(`it did not start\n${text}`)
        await setTimeout(50)
      }
    },
    stop,
    async stopAllBut(kept?: string): Promise<void> {
      for (const name of [...running.keys()]) if (name !== kept) await stop(name)
    },
  }
}

/** Throws an Error unless nothing listens on the ports: commands would call other programs, and change their data. */
export async function requireFree(ports: number[]): Promise<void> {
  for (const port of ports)
    if (await accepts(port)) throw new Error(`port ${port}, which the documentation uses, is in use: stop that program`)
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

/** An answer with an error status is a failure, and commands that end run in the process of `startCommands`. */
const FUNCTIONS = `curl() { command curl --silent --show-error --fail-with-body "$@"; }
npx() {
  [ "$1" = mercadito ] || { command npx "$@"; return; }
  shift
  : > "$PIPES/out"; : > "$PIPES/errors"
  { printf '%s\\0' $# "$@"; PWD="$PWD" env -0; } > "$PIPES/requests"
  local status; read -r status < "$PIPES/answers"
  cat "$PIPES/out"; cat "$PIPES/errors" >&2
  return "$status"
}
`
const END = '--end of command--'

/** Starts the process that runs commands of the pages; it is ended with this one. */
export function startCommands({ cwd, env }: Place): ChildProcess {
  const pipe = (name: string) => join(env.PIPES!, name)
  run('mkfifo', [pipe('requests'), pipe('answers')])
  const [out, errors] = ['out', 'errors'].map((name) => openSync(pipe(name), 'a')) as [number, number]
  const args = [at('tools/docs/one_process.ts'), pipe('requests'), pipe('answers')]
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', out, errors] })
  return child.on('exit', (code) => {
    // Null when it was ended with a signal.
    if (code !== null) throw new Error(`the process of commands: ${readFileSync(pipe('errors'), 'utf8')}`)
  })
}

/** One shell for a page, so that `export` applies to later lines. */
export function openShell(place: Place) {
  const child = spawn('bash', ['--norc'], { ...place, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.write(`exec 2>&1\n${FUNCTIONS}`)
  return {
    /** Resolves with what the line prints. Throws an Error when it fails, or prints nothing. */
    async run(line: string): Promise<string> {
      child.stdin.write(`{ ${line}\n} </dev/null; printf '\\n${END} %s\\n' $?\n`)
      const signal = AbortSignal.timeout(MAX_MS)
      let text = ''
      for (;;) {
        const [chunk] = await once(child.stdout, 'data', { signal })
        text += chunk
        const [, output, status] = new RegExp(`^(.*)\n${END} (\\d+)\n$`, 's').exec(text) ?? []
        if (status === undefined) continue
        if (status !== '0') throw new Error(`exit code ${status}\n${output}`)
        if (output === '' && !line.startsWith('export ')) throw new Error('it printed nothing')
        return output!
      }
    },
    close: () => child.stdin.end(),
  }
}
