import { relative } from 'node:path'
import { buildPackage } from './package/build.ts'
import { check } from './package/check.ts'
import { root } from './root.ts'

// `npm run package` builds `dist/package` and packs it, as npm would publish it; `-- --check` also installs and uses it.

const packed = await buildPackage()
if (process.argv.includes('--check')) await check(packed)
process.stdout.write(`${relative(root, packed.path)}\n`)
