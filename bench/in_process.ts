import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { buildPackage } from '../tools/package/build.ts'
import { at } from '../tools/root.ts'
import { median, table } from './tables.ts'

/** A test that opens a marketplace, and another one. Prints the ms of both, from the call to the first 200. */
const IN_PROCESS = `
const { sandbox } = require(${JSON.stringify(at('dist/package/dist/index.cjs'))})
async function open() {
  const begun = performance.now()
  const s = await sandbox()
  const { status } = await s.fetch('/users/me', { headers: { authorization: 'Bearer ' + s.seller().token } })
  if (status !== 200) throw new Error('the first answer is ' + status)
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

/** The ms of each round, by the name of what was measured. */
export type Durations = Map<string, number[]>

/** Starts in a test's process, and the parts of a server's start, in turns. Builds both into `folder`. */
export async function measureInProcess(
  folder: string,
  rounds: number,
): Promise<{ starts: Durations; parts: Durations }> {
  const { sandboxes, partsOf } = await buildPrograms(folder)
  const [starts, parts]: [Durations, Durations] = [new Map(), new Map()]
  const add = (to: Durations, name: string, ms: number) => to.set(name, [...(to.get(name) ?? []), ms])
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

async function buildPrograms(folder: string) {
  await buildPackage()
  const [startParts, inProcess] = [join(folder, 'start_parts.cjs'), join(folder, 'in_process.cjs')]
  writeFileSync(inProcess, IN_PROCESS)
  await build({
    entryPoints: [at('bench/start_parts.ts')],
    outfile: startParts,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    // The addon and the assets are not in that folder.
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
      const lines: [at: number, ms: number][] = []
      for await (const line of createInterface({ input: child.stdout }))
        lines.push([performance.now() - begun, Number(line)])
      const [[spawned, first], [, second]] = lines as [[number, number], [number, number]]
      return [spawned, first, second]
    },
    partsOf: (): Record<string, number> =>
      JSON.parse(execFileSync(process.execPath, [startParts], { encoding: 'utf8' })),
  }
}

export const durationsTable = (title: string, durations: Durations): string =>
  table(
    [title, 'least ms', 'median ms'],
    [...durations].map(([name, ms]) => [name, Math.min(...ms).toFixed(1), median(ms).toFixed(1)]),
  )
