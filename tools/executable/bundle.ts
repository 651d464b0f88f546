import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { run } from './node.ts'
import { addonOf, at, here, type Platform } from './platforms.ts'

/** The addon's name as an asset and as a file. */
export function addonName(platform: Platform): string {
  const hash = createHash('sha256')
    .update(readFileSync(addonOf(platform)))
    .digest('hex')
  return `better_sqlite3-${hash}.node`
}

export interface Program {
  /** What runs first. */
  main: string
  /** What that reads: the program itself, and what of it was compiled where the build can run it. */
  assets: Record<string, string>
  /** Paths of the packages that something of went in. */
  packages: string[]
}

/**
 * The program as files in `work`. A single executable has no modules beside it: what commands load late is in one file
 * too.
 */
export async function bundle(platform: Platform, work: string): Promise<Program> {
  const main = join(work, 'main.js')
  const program = join(work, 'program.js')
  const warm = platform === here
  await build({
    ...SETTINGS,
    entryPoints: ['bin/executable.ts'],
    outfile: main,
    define: { ...DEFINED, WARM: `${warm}` },
  })
  const { metafile } = await build({
    ...SETTINGS,
    entryPoints: ['bin/mercadito.ts'],
    outfile: program,
    metafile: true,
    define: { ...DEFINED, ADDON: JSON.stringify(addonName(platform)) },
    plugins: [ownAddon],
  })
  writeFileSync(program, asFunction(readFileSync(program, 'utf8')), 'latin1')
  const thread = join(work, 'checkpointer.cjs')
  await build({
    ...SETTINGS,
    entryPoints: ['db/sqlite/checkpointer.thread.ts'],
    outfile: thread,
    define: { ...DEFINED, ADDON: JSON.stringify(addonName(platform)) },
    plugins: [ownAddon],
  })
  const cache = join(work, 'program.cache')
  if (warm) run(process.execPath, [at('tools/executable/warm.ts'), program, cache])
  return {
    main,
    assets: { 'program.js': program, 'checkpointer.cjs': thread, ...(warm && { 'program.cache': cache }) },
    packages: packagesIn(metafile),
  }
}

const packagesIn = ({ outputs }: Metafile): string[] => [
  ...new Set(
    Object.values(outputs)
      .flatMap(({ inputs }) => Object.entries(inputs))
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .flatMap(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  ),
]

const SETTINGS = {
  absWorkingDir: at('.'),
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions

/** Only what reads files beside the bundle asks for it, which an executable does not do. */
const DEFINED = { 'import.meta.url': '""' }

/** A text of one byte a character takes half the memory, and is used where it lies. */
function asFunction(program: string): string {
  const text = `(function(require,module,exports){${program.replace(/^#!.*\n/, '')}\n})`
  if (/[^\x00-\xff]/.test(text)) throw new Error('the bundle has characters beyond Latin 1')
  return text
}

/** better-sqlite3 looks for its addon in folders; ours is inside the executable. */
const ownAddon: Plugin = {
  name: 'own addon',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/binding$/ }, ({ importer }) =>
      importer.startsWith(at('node_modules/better-sqlite3/')) ? { path: at('bin/addon.ts') } : undefined,
    )
  },
}
