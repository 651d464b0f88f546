import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Metafile } from 'esbuild'
import about from '../../package.json' with { type: 'json' }
import { consoleMetafile } from '../build/console.ts'
import { PARTS } from '../build/parts.ts'
import { inputsOf, programMetafile, SETTINGS, shareModules } from '../build/program.ts'
import { buildAll, buildPart } from '../build.ts'
import { packagesIn } from '../executable/bundle.ts'
import { licencesOf, SWAGGER_UI } from '../executable/licences.ts'
import { at, root } from '../root.ts'
import { run } from '../run.ts'
import { type Packed, pack } from './pack.ts'

export const PACKAGE = at('dist/package')

/** A dependency of the package: it contains its addon for every platform, and needs no install script. */
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
    './control': { types: './dist/types/client.d.cts', default: './dist/control.cjs' },
    './testcontainers': { types: './dist/types/testcontainers.d.cts', default: './dist/testcontainers.cjs' },
    './openapi.json': './dist/assets/openapi.json',
    './openapi.sandbox.json': './dist/assets/openapi.sandbox.json',
    './world.schema.json': './dist/assets/world.schema.json',
    './package.json': './package.json',
  },
  engines: about.engines,
  dependencies: { [ADDON]: about.dependencies[ADDON] },
  peerDependencies: { testcontainers: '>=12' },
  peerDependenciesMeta: { testcontainers: { optional: true } },
}

/** Builds `dist/package` and packs it. */
export async function buildPackage(): Promise<Packed> {
  await buildAll()
  await buildPart({ name: 'package', output: 'dist/packed.json', build: writePackage })
  return JSON.parse(readFileSync(at('dist/packed.json'), 'utf8'))
}

/** Returns the files that the package was made from. */
async function writePackage(): Promise<string[]> {
  rmSync(PACKAGE, { recursive: true, force: true })
  for (const folder of ['bin', 'dist/types']) mkdirSync(join(PACKAGE, folder), { recursive: true })
  const into = (path: string) => join(PACKAGE, path)
  for (const name of ['package.cjs', 'node_version.cjs', 'npx.cjs', 'code_cache.cjs', 'v8_flags.json'])
    cpSync(at(`bin/${name}`), into(`bin/${name}`))
  for (const name of ['assets', 'program', 'control.cjs', 'timers.cjs'])
    cpSync(at(`dist/${name}`), into(`dist/${name}`), { recursive: true })
  cpSync(at('LICENSE'), into('LICENSE'))
  cpSync(at('docs/reference/package.md'), into('README.md'))
  writeFileSync(into('package.json'), `${JSON.stringify(MANIFEST, null, 2)}\n`)
  writeFileSync(into('dist/index.cjs'), LIBRARY)
  await bundleTestcontainers()
  const metafiles = [await programMetafile(), await consoleMetafile()]
  writeFileSync(into('THIRD-PARTY-LICENSES'), licenceTexts(metafiles))
  writeDeclarations()
  writeFileSync(at('dist/packed.json'), JSON.stringify(pack(PACKAGE)))
  return [
    ...metafiles.flatMap(inputsOf),
    ...PARTS.flatMap(({ inputs }) => inputs?.() ?? []),
    ...globSync(['bin/*.{cjs,json}', 'lib/*.*', 'tools/package/*.*', 'LICENSE', 'docs/reference/package.md'], {
      cwd: root,
    }),
  ]
}

/** With the package's own client: `testcontainers` is the program's. */
const bundleTestcontainers = () =>
  build({
    ...SETTINGS,
    minify: false,
    entryPoints: { testcontainers: at('lib/testcontainers.ts') },
    outdir: join(PACKAGE, 'dist'),
    external: ['testcontainers'],
    plugins: [shareModules('.')],
  })

/** The licences of all packages in the bundles. */
const licenceTexts = (metafiles: Metafile[]): string =>
  licencesOf([...new Set([...metafiles.flatMap(packagesIn), SWAGGER_UI])].sort())

/** The types of the library, which need only those of Node. */
function writeDeclarations(): void {
  const outDir = at('dist/declarations')
  rmSync(outDir, { recursive: true, force: true })
  run(at('node_modules/.bin/tsc'), [
    ...['--ignoreConfig', '--strict', '--skipLibCheck', '--allowImportingTsExtensions'],
    ...['--module', 'nodenext', '--target', 'es2024', '--types', 'node'],
    ...['--declaration', '--emitDeclarationOnly', '--outDir', outDir, '--rootDir', root],
    ...['client.ts', 'testcontainers.ts', 'testcontainers_module.d.ts'].map((name) => at(`lib/${name}`)),
  ])
  for (const name of ['client', 'control', 'events', 'operations', 'testcontainers', 'types', 'world'])
    writeFileSync(
      join(PACKAGE, `dist/types/${name}.d.cts`),
      `${name === 'types' ? REFERENCES : ''}${readFileSync(join(outDir, `lib/${name}.d.ts`), 'utf8').replaceAll(".ts'", ".cjs'")}`,
    )
  writeFileSync(join(PACKAGE, 'dist/types/index.d.cts'), INDEX)
  rmSync(outDir, { recursive: true })
}

/** In a form in which `import` finds the names. The first sandbox() loads the server; the client does not. */
const LIBRARY = `'use strict'
const { complaint } = require('../bin/node_version.cjs')
if (complaint) throw new Error('mercadito ' + complaint)
require('./timers.cjs')
const { control, ControlError, createWorld } = require('./control.cjs')
const { load } = require('../bin/code_cache.cjs')
const sandbox = async (options) => load(__dirname + '/program/library.cjs').sandbox(options)
module.exports = { sandbox, control, ControlError, createWorld }
`

/** `await using` is newer than the libraries that most programs are checked with. */
const REFERENCES = '/// <reference types="node" />\n/// <reference lib="esnext.disposable" />\n'
const INDEX = `import type { OpenSandbox } from './types.cjs'
export * from './client.cjs'
/**
 * Opens a marketplace in this process. Throws a TypeError for invalid options, an Error when it cannot start.
 */
export declare const sandbox: OpenSandbox
`
