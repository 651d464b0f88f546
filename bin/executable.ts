import { Script } from 'node:vm'
import { readAsset } from '../db/assets.ts'

// Entry point of a single executable. Its code cache is taken after a server has started, so that it has all functions
// of a start; Node's own cache is taken before the program runs. This reduces the start-up time to a third.

/** Whether the build could run the program, and has included its code cache. */
declare const WARM: boolean

const script = new Script(readAsset('program.js').toString('latin1'), {
  filename: 'mercadito.js',
  ...(WARM && { cachedData: readAsset('program.cache') }),
})
if (WARM && script.cachedDataRejected)
  process.emitWarning('the code cache of the build does not fit this machine: starting takes longer')
script.runInThisContext()(require, { exports: {} }, {})
