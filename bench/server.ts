import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WorldInfo } from '../control/worlds/world_info.ts'

export interface Served extends WorldInfo {
  child: ChildProcess
  port: number
  /** Megabytes that it keeps in memory. */
  resident(): number
  /** Seconds that it was on a core. */
  cpu(): number
  control(call: string, body?: object): Promise<Response>
  /** Ends it in order; answers its exit code and what it said on standard error. */
  end(): Promise<{ code: number | null; errors: string }>
}

/**
 * A server, on the core that `SERVER_CORE` names if any, from a copy of `dist/`, so that a build meanwhile takes
 * nothing away from it.
 */
export async function serveAside(...flags: string[]): Promise<Served> {
  const dist = fileURLToPath(new URL('../dist', import.meta.url))
  const aside = mkdtempSync(join(dist, 'aside-'))
  // It finds its assets by its place.
  const copy = join(aside, 'dist')
  for (const name of [...globSync('*.js', { cwd: dist }), 'assets'])
    cpSync(join(dist, name), join(copy, name), { recursive: true })
  process.on('exit', () => rmSync(aside, { recursive: true, force: true }))
  const core = process.env.SERVER_CORE
  const pinned =
    core !== undefined && spawnSync('taskset', ['-c', core, 'true']).status === 0 ? ['taskset', '-c', core] : []
  const [command, ...args] = [...pinned, process.execPath, join(copy, 'mercadito.js'), '--port', '0', '--ready-json']
  const child = spawn(command!, [...args, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] })
  process.on('exit', () => child.kill('SIGKILL'))
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the server ended before it was ready: ${errors}`)
  })
  const [line] = await Promise.race([once(child.stdout, 'data'), ended])
  ended.catch(() => {})
  const ready = JSON.parse(line) as WorldInfo
  const proc = (name: string) => readFileSync(`/proc/${child.pid}/${name}`, 'latin1')
  return {
    ...ready,
    child,
    port: Number(new URL(ready.url).port),
    resident: () => Number(/VmRSS:\s+(\d+)/.exec(proc('status'))![1]) / 1024,
    cpu() {
      const fields = proc('stat').split(') ')[1]!.split(' ')
      return (Number(fields[11]) + Number(fields[12])) / 100
    },
    control(call, body) {
      const [method, path] = call.split(' ') as [string, string]
      return fetch(`${ready.url}/_sandbox${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
    },
    async end() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      const [code] = await gone
      return { code, errors }
    },
  }
}
