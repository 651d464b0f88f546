import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildAll } from './build.ts'
import { bundle } from './executable/bundle.ts'
import { check } from './executable/check.ts'
import { checkImage } from './executable/check_image.ts'
import { inject } from './executable/inject.ts'
import { writeLicences } from './executable/licences.ts'
import { currentPlatform, fileName, PLATFORMS, type Platform } from './executable/platforms.ts'
import { at } from './root.ts'

// `npm run executable` builds for this machine, `-- --platform linux-arm64` for another one; `-- --check` also runs it.

/**
 * Builds `dist/executables/mercadito-<platform>`: the program, Node and the database in one file. Returns its path.
 * Throws an Error for an unknown platform.
 */
export async function buildExecutable(platform: Platform | undefined = currentPlatform): Promise<string> {
  if (!platform || !PLATFORMS.includes(platform)) throw new Error(`--platform must be one of ${PLATFORMS.join(', ')}`)
  const folder = at('dist/executables')
  const file = join(folder, fileName(platform))
  mkdirSync(folder, { recursive: true })
  const work = mkdtempSync(join(tmpdir(), 'mercadito-build-'))
  try {
    await buildAll()
    const program = await bundle(platform, work)
    const tempFile = join(work, fileName(platform))
    const { isStripped } = inject(platform, program, tempFile, work)
    rmSync(file, { force: true })
    cpSync(tempFile, file)
    writeLicences(platform, program.packages, folder, work)
    process.stderr.write(`${file}${isStripped ? '' : ', not stripped'}\n`)
    return file
  } finally {
    rmSync(work, { recursive: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { platform: { type: 'string' }, check: { type: 'boolean' } } })
  const platform = (values.platform as Platform | undefined) ?? currentPlatform
  const file = await buildExecutable(platform)
  if (values.check) {
    await check(platform!, file)
    if (platform!.startsWith('linux')) await checkImage(file)
  }
}
