import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const OUT = 'dist/tests'

/**
 * So many files share a process in a whole run, those that a pattern is the first to fit: to begin one takes longer than
 * most of them, and what runs long has been compiled by then. What waits most begins first, so that there is always work.
 */
const TOGETHER: [fitting: RegExp, files: number][] = [
  [/^test\/(journeys\/|[^/]+$)/, 5],
  [/^test\/properties\//, 2],
  [/^test\//, 13],
]

/**
 * Compiles test files together with all they import, and answers what is to be run: loading a thousand small files one
 * by one took longer (0.8 s of CPU) than most of the tests. `whole`: several of them in one process; else each by
 * itself, with maps that lead a failure back to its source (another 0.25 s).
 */
export async function compile(tests: string[], { whole }: { whole: boolean }): Promise<string[]> {
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
    sourcemap: !whole,
    external: ['tap', 'better-sqlite3', 'esbuild', '@redocly/cli'],
    logLevel: 'warning',
    // Bundled CommonJS packages ask for Node's own modules this way.
    banner: { js: "import{createRequire as r_}from'node:module';const require=r_(import.meta.url);" },
    plugins: [whereItWas((path) => whole && path.endsWith('.test.ts'))],
  })
  const compiled = (path: string) => path.replace(/^test\//, `${OUT}/`).replace(/\.ts$/, '.js')
  if (!whole) return tests.map(compiled)
  const left = new Set(tests)
  return TOGETHER.flatMap(([fitting, size]) => {
    // The slower ones are the later letters: what runs last should be short.
    const those = [...left].filter((path) => fitting.test(path)).reverse()
    for (const path of those) left.delete(path)
    return Array.from({ length: Math.ceil(those.length / size) }, (_, n) => those.slice(n * size, (n + 1) * size))
  }).map((group, n) => {
    const file = `${OUT}/group-${n + 1}.js`
    const files = group.map((path) => `['${path}', './${compiled(path).slice(OUT.length + 1)}']`)
    writeFileSync(
      join(root, file),
      `import t from 'tap'\nfor (const [name, file] of [${files}])\n  t.test(name, async (t) => {\n    ${OWN_TEST} = t\n    await import(file)\n  })\n`,
    )
    return file
  })
}

/** The test of its group that a file is: its hooks and teardowns are its own. */
const OWN_TEST = 'globalThis.testOfThisFile'
const IMPORT = /import t(?:, (\{[^}]*\}))? from 'tap'/

/** A file of the project still finds what lies beside it. */
const whereItWas = (isGrouped: (path: string) => boolean): Plugin => ({
  name: 'where it was',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
      const named = (_: string, types?: string) => `${types ? `import ${types} from 'tap'\n` : ''}const t = ${OWN_TEST}`
      return { loader: 'ts', contents: isGrouped(path) ? text.replace(IMPORT, named) : text }
    })
  },
})
