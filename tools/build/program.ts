import { existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { type BuildOptions, build, type Metafile, type Plugin, transform } from 'esbuild'
import { at, root } from '../root.ts'
import { loadedLater } from './loaded_later.ts'
import { loadLate, quickStart, SMALLER_PACKAGES } from './smaller_packages.ts'

/** The program and the library as CommonJS, which every test runner loads, in files that a process loads when it needs them. */
export async function buildProgram(): Promise<string[]> {
  const { metafile, outputFiles } = await bundleProgram()
  const files = await Promise.all(outputFiles.map(async ({ path, text }) => [path, await toCommonJs(text)] as const))
  for (const folder of ['program', 'compiled']) rmSync(at(`dist/${folder}`), { recursive: true, force: true })
  mkdirSync(at('dist/program'))
  for (const [path, text] of files) writeFileSync(path, text)
  // Not minified, because stack traces of programs show them.
  await build({
    ...SETTINGS,
    minify: false,
    entryPoints: { control: at('lib/client.ts'), timers: at('db/timers.ts') },
    outdir: at('dist'),
  })
  await build({
    ...SETTINGS,
    entryPoints: { mercadito: at('bin/checked.js') },
    outdir: at('dist'),
    outExtension: {},
    format: 'esm',
    banner: { js: REQUIRE },
  })
  return [...inputsOf(metafile), ...globSync('bin/*.{js,cjs}', { cwd: root })]
}

/** Of what the package has, too. */
export const SETTINGS = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  minify: true,
  metafile: true,
  external: ['better-sqlite3'],
  // The package and the releases list licenses.
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions

const bundleProgram = () =>
  build({
    ...SETTINGS,
    entryPoints: { mercadito: at('bin/mercadito.ts'), library: at('lib/sandbox.ts') },
    outdir: at('dist/program'),
    // esbuild splits ES modules only; `toCommonJs` changes them.
    format: 'esm',
    splitting: true,
    write: false,
    plugins: [shareModules('..'), loadedLater, loadLate, quickStart],
    alias: SMALLER_PACKAGES,
  })

/** What the files of the program were made from. */
export const programMetafile = async (): Promise<Metafile> => (await bundleProgram()).metafile

async function toCommonJs(module: string): Promise<string> {
  const { code } = await transform(module, {
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    minify: true,
    supported: { 'dynamic-import': false },
    ...(module.includes('import.meta.url') && {
      banner: "const OWN_URL=require('node:url').pathToFileURL(__dirname).href;",
      define: { 'import.meta.url': 'OWN_URL' },
    }),
  })
  // V8 would keep two bytes for each of the file, and reading it takes twice as long.
  const [other] = /[^\x00-\x7f]/.exec(code) ?? []
  if (other) throw new Error(`a file of the program has the character ${other}: write it as an escape`)
  return `${code.trimEnd()}\n${(await plainExports).code}`
}

/**
 * esbuild's exports are getters, so that a later value is seen: until V8 has optimised a request, they are a tenth of it. Those that
 * have their value when the file has been evaluated become plain members.
 */
const plainExports = transform(
  `{
  const live = module.exports
  const plain = Object.defineProperty({}, '__esModule', { value: true })
  for (const name in live)
    if (live[name] === undefined) Object.defineProperty(plain, name, { get: () => live[name], enumerable: true })
    else plain[name] = live[name]
  module.exports = plain
}`,
  { minify: true },
)

/**
 * In files of their own: the client of the control plane, for programs that start no server, and the timers, which must be
 * loaded before a test runner replaces them. `folder`: of these files, from that of the bundle.
 */
export const shareModules = (folder: '.' | '..'): Plugin => ({
  name: 'share modules',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/(control|client)\.ts$/ }, ({ importer }) =>
      importer.startsWith(at('lib/')) ? { path: `${folder}/control.cjs`, external: true } : undefined,
    )
    onResolve({ filter: /\/timers\.ts$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: `${folder}/timers.cjs`, external: true },
    )
  },
})

/** The files that a bundle was made from; plugins have names for others. */
export const inputsOf = ({ inputs }: Metafile): string[] => Object.keys(inputs).filter((path) => existsSync(at(path)))

/** Bundled CommonJS packages call require for Node's own modules; the minifier makes no names of this length. */
export const REQUIRE =
  "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);"
