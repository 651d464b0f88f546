import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildAll } from './build.ts'
import { bundle } from './executable/bundle.ts'
import { inject } from './executable/inject.ts'
import { writePapers } from './executable/papers.ts'
import { at, fileOf, here, PLATFORMS, type Platform } from './executable/platforms.ts'

// Makes `dist/executables/mercadito-<platform>`: the program, Node and the database in one file. `npm run executable` for
// this machine, `-- --platform linux-arm64` for another.

const { values } = parseArgs({ options: { platform: { type: 'string' } } })
const platform = (values.platform ?? here) as Platform | undefined
if (!platform || !PLATFORMS.includes(platform)) throw new Error(`--platform must be one of ${PLATFORMS.join(', ')}`)
const folder = at('dist/executables')
mkdirSync(folder, { recursive: true })
const work = mkdtempSync(join(tmpdir(), 'mercadito-build-'))
try {
  await buildAll()
  const program = await bundle(platform, work)
  const { stripped } = inject(platform, program, join(folder, fileOf(platform)), work)
  writePapers(platform, program.packages, folder, work)
  process.stdout.write(`${join(folder, fileOf(platform))}${stripped ? '' : ', not stripped'}\n`)
} finally {
  rmSync(work, { recursive: true })
}
