import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { build, type Metafile, type Plugin } from 'esbuild'
import { addonOf, at, type Platform } from './platforms.ts'

/** The addon's name as an asset and as a file. */
export function addonName(platform: Platform): string {
  const hash = createHash('sha256')
    .update(readFileSync(addonOf(platform)))
    .digest('hex')
  return `better_sqlite3-${hash}.node`
}

/** The program in one CommonJS file: a single executable has no modules beside it. What commands load late is in it too. */
export async function bundle(platform: Platform, outfile: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: at('.'),
    entryPoints: ['bin/mercadito.ts'],
    outfile,
    bundle: true,
    metafile: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    // Only what reads files beside the bundle asks for it, which an executable does not do.
    define: { 'import.meta.url': '""', ADDON: JSON.stringify(addonName(platform)) },
    plugins: [ownAddon],
  })
  return metafile
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
