import { Script } from 'node:vm'
import { readAsset } from '../db/assets.ts'

// Entry point of a single executable. Its code cache is taken after a server has started, so it has all functions that
// a start needs; Node's own cache is taken before the program runs. A start takes a third of the time.

/** Whether the build could run the program and has put in what was compiled then. */
declare const WARM: boolean

const script = new Script(readAsset('program.js').toString('latin1'), {
  filename: 'mercadito.js',
  ...(WARM && { cachedData: readAsset('program.cache') }),
})
if (WARM && script.cachedDataRejected)
  process.emitWarning('what was compiled at build time does not fit this machine: starting takes longer')
script.runInThisContext()(require, { exports: {} }, {})
