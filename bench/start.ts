import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { makePackage } from '../tools/package/make.ts'

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

export interface Library {
  /** Ms: from spawn to the first 200, of the first sandbox() in its process, of the second. */
  sandboxes(): Promise<[spawned: number, first: number, second: number]>
  /** Ms that each part of a server's start took in a process of its own. */
  parts(): Record<string, number>
}

/** Builds what is measured into `folder`. */
export async function library(folder: string): Promise<Library> {
  await makePackage()
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
    async sandboxes() {
      const begun = performance.now()
      const child = spawn(process.execPath, [inProcess], { stdio: ['ignore', 'pipe', 'inherit'] })
      const told: [at: number, ms: number][] = []
      for await (const line of createInterface({ input: child.stdout }))
        told.push([performance.now() - begun, Number(line)])
      const [[spawned, first], [, second]] = told as [[number, number], [number, number]]
      return [spawned, first, second]
    },
    parts: () => JSON.parse(execFileSync(process.execPath, [inside], { encoding: 'utf8' })),
  }
}
