import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'
import { root } from '../root.ts'

const SOURCES =
  '{app.ts,api.ts,{bin,capture,cluster,compare,control,db,domains,http,intercept,lib,mcp,plugins,replay,scan,scenarios,stub_import,test,tools,web}/**/*.ts}'

/**
 * Keeps `import.meta.url` of the source files in a bundle, so that they find their neighbours. `change` may change the
 * text of files that match `changed`, too. esbuild asks for these files only: asking for each one takes 0.2 s.
 */
export function keepPaths(changed = /^$/, change = (text: string) => text): Plugin {
  const isChanged = (path: string) => changed.test(path)
  return {
    name: 'keep paths',
    setup({ onLoad }) {
      const paths = globSync(SOURCES, { cwd: root }).map((path) => join(root, path))
      const found = paths.filter((path) => isChanged(path) || readFileSync(path, 'utf8').includes('import.meta.url'))
      const escaped = found.map((path) => path.replace(/[.\\+]/g, '\\$&'))
      if (found.length === 0) return
      onLoad({ filter: new RegExp(`^(${escaped.join('|')})$`) }, ({ path }) => {
        const text = readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        return { loader: 'ts', contents: isChanged(path) ? change(text) : text }
      })
    },
  }
}
