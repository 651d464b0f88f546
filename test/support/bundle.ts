import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import type { WorldInfo } from '../../control/worlds/world_info.ts'
import './environment.ts'

export const program = fileURLToPath(new URL('../../dist/mercadito.js', import.meta.url))

export interface RunningServer extends WorldInfo {
  child: ChildProcess
  /** Standard output so far. */
  output(): string
  /** Signals the process and waits for its exit. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** Starts the bundled server on a free port and waits until it is ready. */
export const launch = (t: Test, ...flags: string[]): Promise<RunningServer> => launchWith(t, {}, ...flags)

/** As `launch`, with additional environment variables. */
export const launchWith = (t: Test, env: NodeJS.ProcessEnv, ...flags: string[]): Promise<RunningServer> =>
  launchProgram(t, program, env, ...flags)

/** As `launchWith`, with the bundle at a path. */
export async function launchProgram(
  t: Test,
  path: string,
  env: NodeJS.ProcessEnv,
  ...flags: string[]
): Promise<RunningServer> {
  const child = spawn(process.execPath, [path, '--port', '0', '--ready-json', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  const exited = once(child, 'exit')
  t.teardown(() => child.kill('SIGKILL'))
  let output = ''
  const line = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('\n')) resolve(output.split('\n')[0]!)
    })
    exited.then(() => reject(new Error('the server ended before it was ready')))
  })
  return {
    ...(JSON.parse(await line) as WorldInfo),
    child,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      await exited
    },
  }
}

/** Calls a running server; the body is undefined if the answer has none. */
export async function call(server: { url: string }, method: string, path: string, body?: object, token?: string) {
  const answer = await fetch(server.url + path, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text ? JSON.parse(text) : undefined }
}

export interface CommandResult {
  code: number | null
  output: string
  errors: string
}

/** Runs the bundle until it exits. */
export const run = (...flags: string[]): Promise<CommandResult> => runWith({}, ...flags)

/** As `run`, with additional environment variables. */
export async function runWith(env: NodeJS.ProcessEnv, ...flags: string[]): Promise<CommandResult> {
  const child = spawn(process.execPath, [program, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  let [output, errors] = ['', '']
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const [code] = await once(child, 'close')
  return { code, output, errors }
}
