import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildAll } from './build.ts'
import { bundle } from './executable/bundle.ts'
import { check } from './executable/check.ts'
import { inject } from './executable/inject.ts'
import { writePapers } from './executable/papers.ts'
import { at, fileOf, here, PLATFORMS, type Platform } from './executable/platforms.ts'

// Makes `dist/executables/mercadito-<platform>`: the program, Node and the database in one file. `npm run executable` for
// this machine, `-- --platform linux-arm64` for another; `-- --check` runs this machine's, once made, in every way.

const { values } = parseArgs({ options: { platform: { type: 'string' }, check: { type: 'boolean' } } })
const platform = (values.platform ?? here) as Platform | undefined
if (!platform || !PLATFORMS.includes(platform)) throw new Error(`--platform must be one of ${PLATFORMS.join(', ')}`)
const folder = at('dist/executables')
const file = join(folder, fileOf(platform))
mkdirSync(folder, { recursive: true })
const work = mkdtempSync(join(tmpdir(), 'mercadito-build-'))
try {
  await buildAll()
  const program = await bundle(platform, work)
  const { stripped } = inject(platform, program, file, work)
  writePapers(platform, program.packages, folder, work)
  process.stdout.write(`${file}${stripped ? '' : ', not stripped'}\n`)
} finally {
  rmSync(work, { recursive: true })
}

if (values.check) await check(platform, file)
