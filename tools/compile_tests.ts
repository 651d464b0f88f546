import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const OUT = 'dist/tests'

/**
 * Files that share a process in a grouped run; the first pattern that matches counts. Starting a process takes longer
 * than most files. The longest groups come first, so that no core idles at the end.
 */
const GROUP_SIZES: [pattern: RegExp, size: number][] = [
  [/^test\/properties\//, 2],
  [/^test\/(journeys\/|[^/]+$)/, 5],
  [/^test\//, 9],
]

/**
 * Bundles test files with what they import: loading the modules one by one takes 0.8 s of CPU in each process. Returns
 * the files to run. `isGrouped`: several tests in each, without source maps, which cost another 0.25 s.
 */
export async function compileTests(tests: string[], { isGrouped }: { isGrouped: boolean }): Promise<string[]> {
  rmSync(join(root, OUT), { recursive: true, force: true })
  await build({
    absWorkingDir: root,
    entryPoints: tests,
    outdir: OUT,
    outbase: 'test',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    sourcemap: !isGrouped,
    external: ['tap', 'better-sqlite3', 'esbuild', '@redocly/cli'],
    logLevel: 'warning',
    // Bundled CommonJS packages call require for Node's own modules.
    banner: { js: "import{createRequire as r_}from'node:module';const require=r_(import.meta.url);" },
    plugins: [keepPaths((path) => isGrouped && path.endsWith('.test.ts'))],
  })
  return isGrouped ? groupsOf(tests).map(writeGroup) : tests.map(compiledPath)
}

const compiledPath = (path: string) => path.replace(/^test\//, `${OUT}/`).replace(/\.ts$/, '.js')

function groupsOf(tests: string[]): string[][] {
  const left = new Set(tests)
  return GROUP_SIZES.flatMap(([pattern, size]) => {
    // In reverse, because the slower files come late in the alphabet, and the last ones to run should be short.
    const matching = [...left].filter((path) => pattern.test(path)).reverse()
    for (const path of matching) left.delete(path)
    return Array.from({ length: Math.ceil(matching.length / size) }, (_, n) => matching.slice(n * size, (n + 1) * size))
  })
}

/** The subtest of the file that is being loaded: it scopes the hooks and teardowns of the file. */
const FILE_TEST = 'globalThis.testOfThisFile'

function writeGroup(group: string[], n: number): string {
  // Tap runs files in alphabetical order.
  const file = `${OUT}/group-${String(n + 1).padStart(2, '0')}.js`
  const files = group.map((path) => `['${path}', './${compiledPath(path).slice(OUT.length + 1)}']`)
  writeFileSync(
    join(root, file),
    `import t from 'tap'
for (const [name, file] of [${files}])
  t.test(name, async (t) => {
    ${FILE_TEST} = t
    await import(file)
  })
`,
  )
  return file
}

const TAP_IMPORT = /import t(?:, (\{[^}]*\}))? from 'tap'/

/** Keeps `import.meta.url` of the source file, so that it finds its neighbours; grouped tests use their subtest. */
const keepPaths = (isGrouped: (path: string) => boolean): Plugin => ({
  name: 'keep paths',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
      const useSubtest = (_: string, types?: string) =>
        `${types ? `import ${types} from 'tap'\n` : ''}const t = ${FILE_TEST}`
      return { loader: 'ts', contents: isGrouped(path) ? text.replace(TAP_IMPORT, useSubtest) : text }
    })
  },
})
