import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WorldInfo } from '../control/worlds/world_info.ts'
import { cpuSeconds, residentMegabytes } from './processes.ts'

export interface ServerCopy extends WorldInfo {
  child: ChildProcess
  port: number
  residentMegabytes(): number
  cpuSeconds(): number
  control(call: string, body?: object): Promise<Response>
  /** Stops it with SIGTERM. Resolves with its exit code and its standard error. */
  stop(): Promise<{ code: number | null; errors: string }>
}

/** A server from a copy of `dist/`, so that a build cannot disturb it; pinned to the core `SERVER_CORE`, if it is set. */
export async function startServerCopy(...flags: string[]): Promise<ServerCopy> {
  const dist = fileURLToPath(new URL('../dist', import.meta.url))
  const folder = mkdtempSync(join(dist, 'copy-'))
  // The server reads its assets from its own folder.
  const copy = join(folder, 'dist')
  for (const name of ['mercadito.js', 'program', 'control.cjs', 'timers.cjs', 'assets'])
    cpSync(join(dist, name), join(copy, name), { recursive: true })
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
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
  return {
    ...ready,
    child,
    port: Number(new URL(ready.url).port),
    residentMegabytes: () => residentMegabytes(child.pid!),
    cpuSeconds: () => cpuSeconds(child.pid!),
    control(call, body) {
      const [method, path] = call.split(' ') as [string, string]
      return fetch(`${ready.url}/_sandbox${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
    },
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      const [code] = await exited
      return { code, errors }
    },
  }
}
