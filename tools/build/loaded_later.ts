import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { Plugin } from 'esbuild'
import { at, root } from '../root.ts'

/** Folders whose modules a running server imports when it first needs them. */
const OF_SERVER = /^(app\.ts|api\.ts|lib\/start_errors|control|domains|http|plugins|db|scenarios|cluster)\b/
/** Programs that have a server in their process. */
const WITH_SERVER = /^(compare\/index|replay\/own_target)\.ts$/
const ENTRIES = /^bin\/program\.ts$/

/**
 * A module that is imported later also imports what is loaded by then anyway. esbuild writes a file for each set of modules
 * that import the same: so it writes one for what a server loads at its start, in place of a hundred, which took 60 ms.
 */
export const loadedLater: Plugin = {
  name: 'loaded later',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ path, kind, resolveDir, importer }) => {
      const module = resolve(resolveDir, path)
      const name = relative(root, module)
      if (kind !== 'dynamic-import' || name.startsWith('node_modules') || ENTRIES.test(name)) return
      const isInServer = OF_SERVER.test(relative(root, importer)) || WITH_SERVER.test(name)
      return { path: module, namespace: 'later', pluginData: at(isInServer ? 'app.ts' : 'bin/program.ts') }
    })
    onLoad({ filter: /.*/, namespace: 'later' }, ({ path, pluginData: loaded }) => {
      const exported = /export default|\bas default\b/.test(readFileSync(path, 'utf8')) ? ['*', '{ default }'] : ['*']
      const from = exported.map((names) => `export ${names} from ${JSON.stringify(path)}`)
      return { contents: [`import ${JSON.stringify(loaded)}`, ...from].join('\n'), resolveDir: root }
    })
  },
}
