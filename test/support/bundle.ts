import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import type { WorldInfo } from '../../control/worlds/world_info.ts'

export const program = fileURLToPath(new URL('../../dist/mercadito.js', import.meta.url))

export interface Running extends WorldInfo {
  child: ChildProcess
  /** All of standard output so far. */
  output(): string
  /** Ends the process and waits until it is gone. */
  end(signal?: NodeJS.Signals): Promise<void>
}

/** Starts the bundled server on a free port and waits until it is ready. */
export const launch = (t: Test, ...flags: string[]): Promise<Running> => launchWith(t, {}, ...flags)

/** The same, with more in the environment. */
export async function launchWith(t: Test, env: NodeJS.ProcessEnv, ...flags: string[]): Promise<Running> {
  const child = spawn(process.execPath, [program, '--port', '0', '--ready-json', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  const gone = once(child, 'exit')
  t.teardown(() => child.kill('SIGKILL'))
  let output = ''
  const line = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('\n')) resolve(output.split('\n')[0]!)
    })
    gone.then(() => reject(new Error('the server ended before it was ready')))
  })
  return {
    ...(JSON.parse(await line) as WorldInfo),
    child,
    output: () => output,
    async end(signal = 'SIGTERM') {
      child.kill(signal)
      await gone
    },
  }
}

/** Calls a server that runs; the body is undefined where there is none. */
export async function call(server: Running, method: string, path: string, body?: object, token?: string) {
  const answer = await fetch(server.url + path, {
    method,
    ...(body && { body: JSON.stringify(body) }),
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text ? JSON.parse(text) : undefined }
}

export interface Ended {
  code: number | null
  output: string
  errors: string
}

/** Runs the bundle to its end. */
export const run = (...flags: string[]): Promise<Ended> => runWith({}, ...flags)

/** The same, with more in the environment. */
export async function runWith(env: NodeJS.ProcessEnv, ...flags: string[]): Promise<Ended> {
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
