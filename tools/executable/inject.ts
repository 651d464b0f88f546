import { chmodSync, copyFileSync, globSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { addonName, type Program } from './bundle.ts'
import { fetched, run, strip } from './node.ts'
import { addonOf, at, binaryIn, builderOf, nodeOf, type Platform } from './platforms.ts'

/** What marks the place in Node's binary that says whether a program is inside. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
/** From this version on Node puts the program inside by itself. */
const BUILDS_ITSELF = 26

/** Puts a bundled program and its assets into a Node; `work` is a folder for what is needed meanwhile. */
export function inject(
  platform: Platform,
  { main, assets }: Program,
  output: string,
  work: string,
): { stripped: boolean } {
  const [target, builder] = [nodeOf(platform), builderOf(platform)]
  const node = join(work, 'node')
  copyFileSync(binaryIn(fetched(target, work), target), node)
  chmodSync(node, 0o755)
  const stripped = strip(node, platform)
  const settings = {
    main,
    disableExperimentalSEAWarning: true,
    // NODE_OPTIONS is meant for the programs that `exec` runs.
    execArgvExtension: 'none',
    assets: {
      ...Object.fromEntries(
        globSync(at('dist/assets/*'))
          .sort()
          .map((path) => [basename(path), path]),
      ),
      // Instead of those of the same names.
      ...assets,
      [addonName(platform)]: addonOf(platform),
    },
  }
  const build = (how: string, more: object) => {
    const file = join(work, 'settings.json')
    writeFileSync(file, JSON.stringify({ ...settings, ...more }))
    run(binaryIn(fetched(builder, work), builder), [how, file])
  }
  if (Number.parseInt(target.version, 10) >= BUILDS_ITSELF) build('--build-sea', { executable: node, output })
  else {
    const blob = join(work, 'blob')
    build('--experimental-sea-config', { output: blob })
    const segment = platform.startsWith('darwin') ? ['--macho-segment-name', 'NODE_SEA'] : []
    run(process.execPath, [
      at('node_modules/postject/dist/cli.js'),
      ...[node, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE, ...segment],
    ])
    copyFileSync(node, output)
  }
  chmodSync(output, 0o755)
  return { stripped }
}
