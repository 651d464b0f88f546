import { check } from './package/check.ts'
import { makePackage, PACKAGE } from './package/make.ts'

// `npm run package` makes `dist/package`, which is what goes to npm; with `-- --check` it is installed and tried.

await makePackage()
if (process.argv.includes('--check')) await check()
else process.stdout.write(`${PACKAGE}\n`)
