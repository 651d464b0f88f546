import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const OUT = 'dist/tests'

/** So many small files share a process in a whole run: to begin one takes longer than most of them. */
const TOGETHER = 9
/** What spawns processes or takes seconds stays by itself. */
const SMALL = /^test\/(db|domains|lib|sandbox|plugins|scenarios)\//

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
    plugins: [whereItWas((path) => whole && SMALL.test(relative(root, path)) && path.endsWith('.test.ts'))],
  })
  const compiled = (path: string) => path.replace(/^test\//, `${OUT}/`).replace(/\.ts$/, '.js')
  if (!whole) return tests.map(compiled)
  // The slower ones are the later letters: what runs last should be short.
  const small = tests.filter((path) => SMALL.test(path)).reverse()
  const groups = Array.from({ length: Math.ceil(small.length / TOGETHER) }, (_, n) =>
    small.slice(n * TOGETHER, (n + 1) * TOGETHER),
  )
  return [
    ...tests.filter((path) => !SMALL.test(path)).map(compiled),
    ...groups.map((group, n) => {
      const file = `${OUT}/small-${n + 1}.js`
      const files = group.map((path) => `['${path}', './${compiled(path).slice(OUT.length + 1)}']`)
      writeFileSync(
        join(root, file),
        `import t from 'tap'\nfor (const [name, file] of [${files}])\n  t.test(name, async (t) => {\n    ${OWN_TEST} = t\n    await import(file)\n  })\n`,
      )
      return file
    }),
  ]
}

/** The test of its group that a small file is: its hooks and teardowns are its own. */
const OWN_TEST = 'globalThis.testOfThisFile'
const IMPORT = /import t(?:, (\{[^}]*\}))? from 'tap'/

/** A file of the project still finds what lies beside it. */
const whereItWas = (isSmall: (path: string) => boolean): Plugin => ({
  name: 'where it was',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
      const named = (_: string, types?: string) => `${types ? `import ${types} from 'tap'\n` : ''}const t = ${OWN_TEST}`
      return { loader: 'ts', contents: isSmall(path) ? text.replace(IMPORT, named) : text }
    })
  },
})
