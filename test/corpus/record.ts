import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { stopRealTime } from '../recorded/normal.ts'
import { recordRun } from '../support/recordings.ts'
import { BUNDLES } from './bundles.ts'
import { PROGRAMS } from './programs.ts'
import { createSmallWorld } from './small_world.ts'

// `npm run corpus` records the bundles that corpus.test.ts replays, all or those that are named.

const names = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'mercadito-corpus-'))
try {
  const load = join(folder, 'world.json')
  writeFileSync(load, await createSmallWorld())
  for (const [name, program] of Object.entries(PROGRAMS)) {
    if (names.length > 0 && !names.includes(name)) continue
    const file = join(folder, `${name}.jsonl`)
    const resumeRealTime = stopRealTime()
    await recordRun(file, { load }, async (app) => {
      const inject = app.server.inject.bind(app.server) as (call: object) => Promise<unknown>
      // A closed connection must not end the program.
      const injectAny = (call: object) => inject(call).catch(() => ({ statusCode: 0, headers: {}, payload: '' }))
      app.server.inject = injectAny as never
      await program(app)
    })
    resumeRealTime()
    const bundle = `${BUNDLES}/${name}.bundle`
    writeFileSync(bundle, gzipSync(readFileSync(file), { level: 9 }))
    process.stdout.write(`${name}: ${statSync(bundle).size} bytes\n`)
  }
} finally {
  rmSync(folder, { recursive: true })
}
