import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, zstdCompressSync } from 'node:zlib'
import { build, type Plugin } from 'esbuild'
import { buildConsole } from './console.ts'
import { at } from './root.ts'
import { readRules } from './rules.ts'
import { SMALLER_PACKAGES } from './smaller_packages.ts'

/** Builds `dist/`: the program, and the assets that it reads at run time. */
export async function buildAll(): Promise<void> {
  mkdirSync(at('dist/assets'), { recursive: true })
  writeFileSync(at('dist/assets/migrations.json'), JSON.stringify(migrations()))
  writeFileSync(at('dist/assets/rules.json'), JSON.stringify(readRules()))
  for (const name of ['openapi.json', 'openapi.sandbox.json', 'world.schema.json'])
    copyFileSync(at(name), at(`dist/assets/${name}`))
  copyFileSync(at('docs/reference/behaviour.md'), at('dist/assets/behaviour.md'))
  copyFileSync(at('bin/intercept/preload.cjs'), at('dist/assets/preload.cjs'))
  for (const name of ['page.html', 'page.css'])
    copyFileSync(at(`control/docs/page/${name}`), at(`dist/assets/docs.${name}`))
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css'])
    copyFileSync(at(`node_modules/@fastify/swagger-ui/static/${name}`), at(`dist/assets/${name}`))
  await Promise.all([buildProgram(), buildCheckpointer(), buildDocsPage(), buildConsole(), buildScenarios()])
}

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

/** With code splitting, so that commands that call a server do not load one. */
async function buildProgram() {
  const { metafile } = await build({
    entryPoints: [at('bin/mercadito.ts')],
    outdir: at('dist'),
    bundle: true,
    splitting: true,
    metafile: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    minify: true,
    sourcemap: false,
    external: ['better-sqlite3'],
    logLevel: 'warning',
    plugins: [requireHttp, lateMediaTypes],
    alias: SMALLER_PACKAGES,
    // Bundled CommonJS packages call require for Node's own modules; the minifier makes no names of this length.
    banner: { js: "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);" },
  })
  const written = new Set(Object.keys(metafile.outputs).map((path) => basename(path)))
  for (const path of globSync(at('dist/*.js'))) if (!written.has(basename(path))) rmSync(path, { force: true })
}

/** The worker thread, with better-sqlite3 as a package; an executable has another build of it (executable/bundle.ts). */
const buildCheckpointer = () =>
  build({
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

/** The script of `/docs`, for browsers. */
const buildDocsPage = () =>
  build({
    entryPoints: [at('control/docs/page/page.js')],
    outfile: at('dist/assets/docs.page.js'),
    bundle: true,
    platform: 'browser',
    target: 'es2023',
    format: 'iife',
    logLevel: 'warning',
  })

/** `import` reads every export of a module, and one of `node:http` loads all of fetch: a tenth of the start-up time. */
const requireHttp: Plugin = {
  name: 'require node:http',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:http$/ }, ({ path, kind }) =>
      kind === 'require-call' ? undefined : { path, namespace: 'required' },
    )
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({ contents: `module.exports = require('${path}')` }))
  },
}

/** Loads the 200 kB of media types of @fastify/sensible on the first `request.is()`: they take a tenth of the start. */
const lateMediaTypes: Plugin = {
  name: 'load type-is late',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^type-is$/ }, ({ path, namespace, resolveDir }) =>
      namespace === 'late' ? undefined : { path, namespace: 'late', pluginData: resolveDir },
    )
    onLoad({ filter: /.*/, namespace: 'late' }, ({ path, pluginData }) => ({
      contents: `module.exports = (...types) => require('${path}')(...types)`,
      resolveDir: pluginData,
    }))
  },
}

/** Imports late, because the generator reads the migrations that were just written. */
async function buildScenarios() {
  const [{ generate }, { SCENARIOS, SHIPPED_SEED }] = await Promise.all([
    import('../scenarios/generate.ts'),
    import('../scenarios/names.ts'),
  ])
  for (const name of SCENARIOS)
    writeFileSync(
      at(`dist/assets/${name}.sqlite.zst`),
      zstdCompressSync(await generate(name, SHIPPED_SEED), { params: { [constants.ZSTD_c_compressionLevel]: 9 } }),
    )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildAll()
