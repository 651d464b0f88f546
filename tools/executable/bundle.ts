import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { consoleMetafile } from '../build/console.ts'
import { loadLate, quickStart, SMALLER_PACKAGES } from '../build/smaller_packages.ts'
import { at, root } from '../root.ts'
import { run } from '../run.ts'
import { addonPath, currentPlatform, type Platform } from './platforms.ts'

/** The addon's name as an asset and as a file. */
export function addonName(platform: Platform): string {
  const hash = createHash('sha256')
    .update(readFileSync(addonPath(platform)))
    .digest('hex')
  return `better_sqlite3-${hash}.node`
}

export interface Program {
  /** The script that Node runs. */
  main: string
  /** Assets that it reads: the program, and its code cache when it is built for this machine. */
  assets: Record<string, string>
  /** Paths of the packages that are in the bundle or in the console. */
  packages: string[]
}

/** Writes the program into `work` as single files, because an executable cannot load further modules. */
export async function bundle(platform: Platform, work: string): Promise<Program> {
  const main = join(work, 'main.js')
  const program = join(work, 'program.js')
  const thread = join(work, 'checkpointer.cjs')
  const hasCache = platform === currentPlatform
  await build({
    ...SETTINGS,
    entryPoints: ['bin/executable.ts'],
    outfile: main,
    define: { ...DEFINED, WARM: `${hasCache}` },
  })
  const withAddon = {
    ...SETTINGS,
    define: { ...DEFINED, ADDON: JSON.stringify(addonName(platform)) },
    plugins: [loadAddonFromAssets, loadLate, quickStart],
  }
  const { metafile } = await build({
    ...withAddon,
    entryPoints: ['bin/mercadito.ts'],
    outfile: program,
    metafile: true,
  })
  writeFileSync(program, wrapInFunction(readFileSync(program, 'utf8')), 'latin1')
  await build({ ...withAddon, entryPoints: ['db/sqlite/checkpointer.thread.ts'], outfile: thread })
  const cache = join(work, 'program.cache')
  if (hasCache) run(process.execPath, [at('tools/executable/code_cache.ts'), program, cache])
  return {
    main,
    assets: { 'program.js': program, 'checkpointer.cjs': thread, ...(hasCache && { 'program.cache': cache }) },
    packages: [...new Set([metafile, await consoleMetafile()].flatMap(packagesIn))],
  }
}

/** Paths of the packages that are in the files of a build. */
export const packagesIn = ({ outputs }: Metafile): string[] => [
  ...new Set(
    Object.values(outputs)
      .flatMap(({ inputs }) => Object.entries(inputs))
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .flatMap(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  ),
]

const SETTINGS = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  minify: true,
  legalComments: 'none',
  alias: SMALLER_PACKAGES,
  logLevel: 'warning',
} satisfies BuildOptions

/** Only code that reads files next to the bundle uses it; an executable has none. */
const DEFINED = { 'import.meta.url': '""' }

/** V8 stores a Latin-1 string in half the memory, and uses it without a copy. */
function wrapInFunction(program: string): string {
  const text = `(function(require,module,exports){${program}\n})`
  if (/[^\x00-\xff]/.test(text)) throw new Error('the bundle has characters beyond Latin-1')
  return text
}

/** better-sqlite3 searches folders for its addon; ours is an asset of the executable. */
const loadAddonFromAssets: Plugin = {
  name: 'load addon from assets',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/binding$/ }, ({ importer }) =>
      importer.startsWith(at('node_modules/better-sqlite3/')) ? { path: at('bin/addon.ts') } : undefined,
    )
  },
}
