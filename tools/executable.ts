import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildAll } from './build.ts'
import { bundle } from './executable/bundle.ts'
import { check } from './executable/check.ts'
import { checkImage } from './executable/image.ts'
import { inject } from './executable/inject.ts'
import { writePapers } from './executable/papers.ts'
import { at, fileOf, here, PLATFORMS, type Platform } from './executable/platforms.ts'

// `npm run executable` makes this machine's, `-- --platform linux-arm64` another's; `-- --check` then runs it in every
// way.

/** Makes `dist/executables/mercadito-<platform>`: the program, Node and the database in one file. Answers its path. */
export async function makeExecutable(platform: Platform | undefined = here): Promise<string> {
  if (!platform || !PLATFORMS.includes(platform)) throw new Error(`--platform must be one of ${PLATFORMS.join(', ')}`)
  const folder = at('dist/executables')
  const file = join(folder, fileOf(platform))
  mkdirSync(folder, { recursive: true })
  const work = mkdtempSync(join(tmpdir(), 'mercadito-build-'))
  try {
    await buildAll()
    const program = await bundle(platform, work)
    const draft = join(work, fileOf(platform))
    const { stripped } = inject(platform, program, draft, work)
    rmSync(file, { force: true })
    cpSync(draft, file)
    writePapers(platform, program.packages, folder, work)
    process.stderr.write(`${file}${stripped ? '' : ', not stripped'}\n`)
    return file
  } finally {
    rmSync(work, { recursive: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { platform: { type: 'string' }, check: { type: 'boolean' } } })
  const platform = (values.platform as Platform | undefined) ?? here
  const file = await makeExecutable(platform)
  if (values.check) {
    await check(platform!, file)
    if (platform!.startsWith('linux')) await checkImage(file)
  }
}
