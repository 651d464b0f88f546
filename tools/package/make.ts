import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import about from '../../package.json' with { type: 'json' }
import { buildAll } from '../build.ts'

export const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
export const PACKAGE = at('dist/package')

/** The addon comes from its own package, which has it built for every platform inside and needs no install script. */
const ADDON = 'better-sqlite3'

const MANIFEST = {
  name: about.name,
  version: about.version,
  description: about.description,
  license: about.license,
  keywords: ['mercadolibre', 'mercado-libre', 'sandbox', 'mock', 'testing', 'marketplace'],
  bin: { mercadito: 'bin/package.cjs' },
  main: 'dist/index.cjs',
  types: 'dist/types/index.d.cts',
  exports: {
    '.': { types: './dist/types/index.d.cts', default: './dist/index.cjs' },
    './control': { types: './dist/types/control.d.cts', default: './dist/control.cjs' },
    './openapi.json': './dist/assets/openapi.json',
    './openapi.sandbox.json': './dist/assets/openapi.sandbox.json',
    './world.schema.json': './dist/assets/world.schema.json',
    './package.json': './package.json',
  },
  engines: about.engines,
  dependencies: { [ADDON]: about.dependencies[ADDON] },
}

/** Makes `dist/package` anew. */
export async function makePackage(): Promise<void> {
  await buildAll()
  rmSync(PACKAGE, { recursive: true, force: true })
  for (const folder of ['bin', 'dist/types']) mkdirSync(join(PACKAGE, folder), { recursive: true })
  const into = (path: string) => join(PACKAGE, path)
  for (const name of ['package.cjs', 'node_version.cjs']) cpSync(at(`bin/${name}`), into(`bin/${name}`))
  cpSync(at('dist/assets'), into('dist/assets'), { recursive: true })
  cpSync(at('LICENSE'), into('LICENSE'))
  cpSync(at('docs/reference/package.md'), into('README.md'))
  writeFileSync(into('package.json'), `${JSON.stringify(MANIFEST, null, 2)}\n`)
  writeFileSync(into('dist/index.cjs'), LIBRARY)
  writeFileSync(into('THIRD-PARTY-LICENSES'), licences(await bundles()))
  declarations()
}

/**
 * As CommonJS, the one format that every test runner loads: `import` takes it as well, and what is loaded both ways is
 * there once.
 */
async function bundles(): Promise<Metafile> {
  const outdir = join(PACKAGE, 'dist')
  const { metafile } = await build({
    ...SETTINGS,
    entryPoints: { mercadito: at('bin/package.ts') },
    outdir,
    banner: { js: "const OWN_URL=require('node:url').pathToFileURL(__filename).href;" },
    define: { 'import.meta.url': 'OWN_URL' },
    plugins: [clientBeside],
  })
  // As it was written: its errors show it.
  await build({ ...SETTINGS, minify: false, entryPoints: { control: at('lib/control.ts') }, outdir })
  return metafile
}

const SETTINGS = {
  absWorkingDir: at('.'),
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  minify: true,
  metafile: true,
  external: [ADDON],
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions

/** The client of the control plane is a file of its own, which programs without a server load alone. */
const clientBeside: Plugin = {
  name: 'client beside',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/control\.ts$/ }, ({ importer }) =>
      importer.startsWith(at('lib/')) ? { path: './control.cjs', external: true } : undefined,
    )
  },
}

/** The licences of all packages that something of went into a bundle. */
function licences({ inputs }: Metafile): string {
  const packages = new Set(
    Object.keys(inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  )
  // Its page that shows the document comes as files.
  packages.add('node_modules/@fastify/swagger-ui')
  return [...packages]
    .sort()
    .map((path) => {
      const { name, version, license } = JSON.parse(readFileSync(at(`${path}/package.json`), 'utf8'))
      const [file] = globSync('{LICENSE,LICENCE,License,license}*', { cwd: at(path) })
      const text = file ? readFileSync(at(`${path}/${file}`), 'utf8').trim() : ''
      return `${name} ${version} (${license})\n\n${text}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}

/** What TypeScript reads: of the library's own types, which need nothing but Node's. */
function declarations(): void {
  const draft = at('dist/declarations')
  rmSync(draft, { recursive: true, force: true })
  const flags = ['--declaration', '--emitDeclarationOnly', '--outDir', draft, '--rootDir', at('lib'), '--types', 'node']
  const how = [
    '--ignoreConfig',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--strict',
    '--allowImportingTsExtensions',
  ]
  run(at('node_modules/.bin/tsc'), [...how, '--skipLibCheck', ...flags, at('lib/control.ts'), at('lib/types.ts')])
  for (const name of ['control', 'operations', 'types'])
    writeFileSync(
      join(PACKAGE, `dist/types/${name}.d.cts`),
      `${name === 'types' ? REFERENCES : ''}${readFileSync(join(draft, `${name}.d.ts`), 'utf8').replaceAll(".ts'", ".cjs'")}`,
    )
  writeFileSync(join(PACKAGE, 'dist/types/index.d.cts'), INDEX)
  rmSync(draft, { recursive: true })
}

/**
 * Written so that `import` finds the names. What makes a server is loaded with the first: not for types, nor for the
 * client alone.
 */
const LIBRARY = `'use strict'
const { complaint } = require('../bin/node_version.cjs')
if (complaint) throw new Error('mercadito ' + complaint)
const { control, ControlError } = require('./control.cjs')
const sandbox = async (options) => (await require('./mercadito.cjs').library()).sandbox(options)
module.exports = { sandbox, control, ControlError }
`

/** `await using` is newer than the libraries that most programs are checked with. */
const REFERENCES = '/// <reference types="node" />\n/// <reference lib="esnext.disposable" />\n'
const INDEX = `import type { OpenSandbox } from './types.cjs'
export { ControlError, control } from './control.cjs'
export type * from './types.cjs'
/**
 * Opens a marketplace in this process. Throws a TypeError for options that cannot be, an Error where it cannot start.
 */
export declare const sandbox: OpenSandbox
`

/** Runs a program to its end; answers what it wrote. Throws an Error with all of it when it fails. */
export function run(command: string, args: string[], how: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', ...how })
  if (error) throw error
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`)
  return stdout
}
