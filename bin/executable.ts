import { Script } from 'node:vm'
import { readAsset } from '../db/assets.ts'

// The first that runs in a single executable. Node's own code cache for such files holds what a program is before it
// has run; ours is taken after a server has started, and has all functions that this takes: a third of the time.

/** Whether the build could run the program and has put in what was compiled then. */
declare const WARM: boolean

const script = new Script(readAsset('program.js').toString('latin1'), {
  filename: 'mercadito.js',
  ...(WARM && { cachedData: readAsset('program.cache') }),
})
if (WARM && script.cachedDataRejected)
  process.emitWarning('what was compiled at build time does not fit this machine: starting takes longer')
script.runInThisContext()(require, { exports: {} }, {})
