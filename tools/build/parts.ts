import { execFile } from 'node:child_process'
import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { at, root } from '../root.ts'
import { readRules } from '../rules.ts'
import { buildConsole } from './console.ts'
import { keepPaths } from './keep_paths.ts'
import { buildProgram, inputsOf, REQUIRE } from './program.ts'

export interface Part {
  name: string
  /** A file that exists after the part was built. */
  output: string
  /** Other parts are built after this one. */
  isFirst?: boolean
  /** Files of which a new one is an input, too. */
  inputs?: () => string[]
  /** Builds the part, and returns the paths of the files that it was made from. */
  build(): Promise<string[]>
}

/** The parts of `dist/`. */
export const PARTS: Part[] = [
  {
    name: 'documents',
    output: 'dist/assets/rules.json',
    isFirst: true,
    inputs: () => [...DOCUMENTS.values(), ...globSync('{db/migrations/**,docs/spec/*.md}', { cwd: root })],
    async build() {
      writeFileSync(at('dist/assets/migrations.json'), JSON.stringify(migrations()))
      for (const [name, path] of DOCUMENTS) {
        const copy = at(`dist/assets/${name}`)
        // Line breaks and indents are half of these; the schema of world files is served as it is.
        if (name.startsWith('openapi')) writeFileSync(copy, JSON.stringify(JSON.parse(readFileSync(at(path), 'utf8'))))
        else copyFileSync(at(path), copy)
      }
      writeFileSync(at('dist/assets/rules.json'), JSON.stringify(readRules()))
      return []
    },
  },
  { name: 'program', output: 'dist/mercadito.js', build: buildProgram },
  { name: 'checkpointer', output: 'dist/assets/checkpointer.cjs', build: buildCheckpointer },
  { name: 'page of /docs', output: 'dist/assets/docs.page.js', build: buildDocsPage },
  {
    name: 'console',
    output: 'dist/assets/console.index.html',
    inputs: () => globSync('web/**/texts.ts', { cwd: root }),
    build: async () => inputsOf(await buildConsole()),
  },
  { name: 'scenarios', output: 'dist/assets/empty.sqlite.zst', build: buildScenarios },
]

/** Files of `dist/assets` that are copies. */
const DOCUMENTS = new Map([
  ...['openapi.json', 'openapi.sandbox.json', 'world.schema.json'].map((name) => [name, name] as const),
  ['behaviour.md', 'docs/reference/behaviour.md'],
  ['preload.cjs', 'intercept/preload.cjs'],
  ...['page.html', 'page.css'].map((name) => [`docs.${name}`, `web/docs/${name}`] as const),
  ...['swagger-ui-bundle.js', 'swagger-ui.css'].map(
    (name) => [name, `node_modules/@fastify/swagger-ui/static/${name}`] as const,
  ),
])

/** The files of drizzle-kit in their order. */
function migrations() {
  const { entries } = JSON.parse(readFileSync(at('db/migrations/meta/_journal.json'), 'utf8')) as {
    entries: { tag: string }[]
  }
  return entries.map(({ tag }) => ({
    tag,
    statements: readFileSync(at(`db/migrations/${tag}.sql`), 'utf8').split('--> statement-breakpoint'),
  }))
}

/** The worker thread, with better-sqlite3 as a package; an executable has another build of it (executable/bundle.ts). */
async function buildCheckpointer(): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: [at('db/sqlite/checkpointer.thread.ts')],
    outfile: at('dist/assets/checkpointer.cjs'),
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    minify: true,
    external: ['better-sqlite3'],
    logLevel: 'warning',
  })
  return inputsOf(metafile)
}

/** The script of `/docs`, for browsers. */
async function buildDocsPage(): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: [at('web/docs/page.js')],
    outfile: at('dist/assets/docs.page.js'),
    bundle: true,
    minify: true,
    platform: 'browser',
    target: 'es2023',
    format: 'iife',
    logLevel: 'warning',
  })
  return inputsOf(metafile)
}

/** In a process of its own, from a bundle: importing the sources takes a second. */
async function buildScenarios(): Promise<string[]> {
  const outfile = at('dist/build/scenarios.js')
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [at('tools/build/scenarios.ts')],
    outfile,
    bundle: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    external: ['better-sqlite3'],
    logLevel: 'warning',
    plugins: [keepPaths()],
    banner: { js: REQUIRE },
  })
  await promisify(execFile)(process.execPath, [outfile])
  return [...inputsOf(metafile), ...globSync('db/migrations/**', { cwd: root })]
}
