import { chmodSync, copyFileSync, globSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { at } from '../root.ts'
import { run } from '../run.ts'
import { addonName, type Program } from './bundle.ts'
import { fetchPackage, strip } from './node_packages.ts'
import { addonPath, builderPackage, nodeBinary, nodePackage, type Platform } from './platforms.ts'

/** Marks the byte of Node's binary that says whether it contains a program. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
/** The first Node with --build-sea, which needs no postject. */
const BUILD_SEA_MAJOR = 26

/** Writes the executable `output`: Node with the program and its assets inside. `work` is a folder for temp files. */
export function inject(
  platform: Platform,
  { main, assets }: Program,
  output: string,
  work: string,
): { isStripped: boolean } {
  const [target, builder] = [nodePackage(platform), builderPackage(platform)]
  const node = join(work, 'node')
  copyFileSync(nodeBinary(fetchPackage(target, work), target), node)
  chmodSync(node, 0o755)
  const isStripped = strip(node, platform)
  const settings = {
    main,
    disableExperimentalSEAWarning: true,
    // NODE_OPTIONS must apply only to the programs that `exec` runs.
    execArgvExtension: 'none',
    assets: {
      ...Object.fromEntries(
        globSync(at('dist/assets/*'))
          .sort()
          .map((path) => [basename(path), path]),
      ),
      // These replace assets of the same names.
      ...assets,
      [addonName(platform)]: addonPath(platform),
    },
  }
  const build = (flag: string, more: object) => {
    const file = join(work, 'settings.json')
    writeFileSync(file, JSON.stringify({ ...settings, ...more }))
    run(nodeBinary(fetchPackage(builder, work), builder), [flag, file])
  }
  if (Number.parseInt(target.version, 10) >= BUILD_SEA_MAJOR) build('--build-sea', { executable: node, output })
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
  return { isStripped }
}
