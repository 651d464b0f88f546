import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildPackage } from '../tools/package/build.ts'

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** What a test does that opens a marketplace, and another one; ms of both, from the call to the first 200. */
const IN_PROCESS = `
const { sandbox } = require(${JSON.stringify(at('dist/package/dist/index.cjs'))})
async function open() {
  const begun = performance.now()
  const s = await sandbox()
  const { status } = await s.fetch('/users/me', { headers: { authorization: 'Bearer ' + s.seller().token } })
  if (status !== 200) throw new Error('the first answer is none: ' + status)
  const ms = performance.now() - begun
  return { ms, close: s.close }
}
;(async () => {
  const first = await open()
  process.stdout.write(first.ms + '\\n')
  const second = await open()
  process.stdout.write(second.ms + '\\n')
  await Promise.all([first.close(), second.close()])
})()`

/** A way to start, or a part of one, and its ms in each round. */
export type Spent = Map<string, number[]>

/**
 * Starts in a test's process against `node -e 0`, and the parts of a server's start in a process of its own, in turns.
 * Builds what it measures into `folder`.
 */
export async function measureInside(folder: string, rounds: number): Promise<{ starts: Spent; parts: Spent }> {
  const { sandboxes, partsOf } = await built(folder)
  const [starts, parts]: [Spent, Spent] = [new Map(), new Map()]
  const add = (to: Spent, name: string, ms: number) => to.set(name, [...(to.get(name) ?? []), ms])
  for (let n = 0; n < rounds; n++) {
    const begun = performance.now()
    execFileSync(process.execPath, ['-e', '0'])
    add(starts, 'node -e 0', performance.now() - begun)
    const [spawned, first, second] = await sandboxes()
    add(starts, 'in process: spawn to first 200', spawned)
    add(starts, 'sandbox() to first 200', first)
    add(starts, 'another sandbox() to its first 200', second)
    for (const [name, ms] of Object.entries(partsOf())) add(parts, name, ms)
  }
  return { starts, parts }
}

async function built(folder: string) {
  await buildPackage()
  const [inside, inProcess] = [join(folder, 'inside.cjs'), join(folder, 'in_process.cjs')]
  writeFileSync(inProcess, IN_PROCESS)
  await build({
    entryPoints: [at('bench/inside.ts')],
    outfile: inside,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    // From that folder neither the addon nor the assets would be found.
    external: ['better-sqlite3'],
    define: { 'import.meta.url': 'OWN_URL' },
    banner: {
      js: `const BEGUN=performance.now(),OWN_URL=${JSON.stringify(new URL('../dist/', import.meta.url).href)};require=require('node:module').createRequire(OWN_URL);`,
    },
  })
  return {
    /** Ms: from spawn to the first 200, of the first sandbox() in its process, of the second. */
    async sandboxes(): Promise<[spawned: number, first: number, second: number]> {
      const begun = performance.now()
      const child = spawn(process.execPath, [inProcess], { stdio: ['ignore', 'pipe', 'inherit'] })
      const told: [at: number, ms: number][] = []
      for await (const line of createInterface({ input: child.stdout }))
        told.push([performance.now() - begun, Number(line)])
      const [[spawned, first], [, second]] = told as [[number, number], [number, number]]
      return [spawned, first, second]
    },
    partsOf: (): Record<string, number> => JSON.parse(execFileSync(process.execPath, [inside], { encoding: 'utf8' })),
  }
}
