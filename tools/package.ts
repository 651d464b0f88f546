import { buildPackage, PACKAGE } from './package/build.ts'
import { check } from './package/check.ts'

// `npm run package` builds `dist/package`, which is published to npm; `-- --check` also installs and uses it.

await buildPackage()
if (process.argv.includes('--check')) await check()
else process.stdout.write(`${PACKAGE}\n`)
