import { createHash } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { at, root } from '../root.ts'
import { run } from '../run.ts'
import { addonName } from './bundle.ts'
import { fetchPackage } from './node_packages.ts'
import { addonPath, builderPackage, fileName, nodeBinary, nodePackage, type Platform, readJson } from './platforms.ts'

/** Not in the bundle: the docs page uses its files. */
export const SWAGGER_UI = 'node_modules/@fastify/swagger-ui'
/** Entries of process.versions that are interfaces and tables, not libraries. */
const NOT_LIBRARIES = ['node', 'modules', 'napi', 'cldr', 'tz', 'unicode']

interface Component {
  'bom-ref': string
  name: string
  version: string
  components?: object[]
}

/**
 * Writes an executable's SBOM (CycloneDX 1.5, reproducible) and licences, and the SHA256SUMS of all files in `folder`.
 * `bundled`: paths of the packages in the bundle.
 */
export function writeLicences(platform: Platform, bundled: string[], folder: string, work: string): void {
  const file = join(folder, fileName(platform))
  const packages = [...new Set([...bundled, SWAGGER_UI])].sort()
  const sbom = `${JSON.stringify(createSbom(platform, packages, file, work), null, 2)}\n`
  writeFileSync(`${file}.cdx.json`, sbom)
  writeFileSync(`${file}.licenses.txt`, licenceTexts(platform, packages, work))
  const files = readdirSync(folder).filter((name) => name !== 'SHA256SUMS')
  const sums = files.sort().map((name) => `${sha256(join(folder, name))}  ${name}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
}

/** npm's SBOM of the lock file, reduced to `packages`, with Node and its libraries. */
function createSbom(platform: Platform, packages: string[], file: string, work: string) {
  // Of all packages, because --omit=dev also drops packages that both the program and its tools need.
  const npm = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']
  const { serialNumber: _, metadata, components, dependencies, ...rest } = JSON.parse(run('npm', npm, { cwd: root }))
  const missing = new Set(packages.map((path) => refOf(readJson(`${path}/package.json`))))
  const included = (components as Component[]).filter((one) => missing.delete(one['bom-ref']))
  if (missing.size > 0) throw new Error(`not in the lock file: ${[...missing].join(', ')}`)
  for (const one of included) if (one.name === 'better-sqlite3') one.components = addonComponents(platform)
  const node = nodeComponent(platform, work)
  const { 'bom-ref': self, ...about } = metadata.component
  const refs = new Set([self, ...included.map((one) => one['bom-ref'])])
  return {
    ...rest,
    metadata: {
      component: { 'bom-ref': self, ...about, name: 'mercadito', hashes: [{ alg: 'SHA-256', content: sha256(file) }] },
    },
    components: [...included, node],
    dependencies: (dependencies as { ref: string; dependsOn?: string[] }[])
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn = [] }) => ({
        ref,
        dependsOn: [...dependsOn.filter((one) => refs.has(one)), ...(ref === self ? [node['bom-ref']] : [])],
      })),
  }
}

const refOf = ({ name, version }: { name: string; version: string }) => `${name}@${version}`

/** The addon, and the SQLite that is compiled into it. */
const addonComponents = (platform: Platform) => [
  {
    type: 'file',
    name: basename(addonPath(platform)),
    hashes: [{ alg: 'SHA-256', content: /-(\w+)\./.exec(addonName(platform))![1] }],
  },
  library('sqlite', sqliteVersion()),
]

const sqliteVersion = (): string =>
  /VERSION=(\d)(\d\d)(\d\d)/
    .exec(readFileSync(at('node_modules/better-sqlite3/deps/download.sh'), 'utf8').replace(/["']/g, ''))!
    .slice(1)
    .map(Number)
    .join('.')

const library = (name: string, version: string) => ({ type: 'library', name, version })

function nodeComponent(platform: Platform, work: string) {
  const builder = builderPackage(platform)
  const versions = JSON.parse(
    run(nodeBinary(fetchPackage(builder, work), builder), ['-p', 'JSON.stringify(process.versions)']),
  )
  const { name, version } = nodePackage(platform)
  return {
    'bom-ref': refOf(nodePackage(platform)),
    type: 'platform',
    name: 'node',
    version,
    purl: `pkg:npm/${name}@${version}`,
    licenses: [{ license: { id: 'MIT' } }],
    components: Object.entries(versions as Record<string, string>)
      .filter(([name, version]) => version !== '' && !NOT_LIBRARIES.includes(name))
      .map(([name, version]) => library(name, version)),
  }
}

/** The licence texts that must be distributed with the executable. */
function licenceTexts(platform: Platform, packages: string[], work: string): string {
  const node = nodePackage(platform)
  // The package for Windows has no licence file; the builder's, of the same version, has the same text.
  const texts = [
    ['mercadito', [at('LICENSE')]],
    [
      `Node ${node.version}`,
      [node, builderPackage(platform)]
        .map((one) => join(fetchPackage(one, work), 'LICENSE'))
        .filter(existsSync)
        .slice(0, 1),
    ],
  ] as [string, string[]][]
  return `${texts.map(([name, files]) => section([name], contentOf(files))).join('\n\n')}\n\n${licencesOf(packages)}`
}

/** Names, versions and licences of packages by their paths; those with the same text have it together. */
export function licencesOf(packages: string[]): string {
  const byText = Map.groupBy(packages, (path) =>
    contentOf(globSync(at(`${path}/{LICENSE,LICENCE,License,license}*`)).sort()),
  )
  return [...byText]
    .map(([text, paths]) => {
      const names = paths.map((path) => readJson(`${path}/package.json`)).map((one) => `${refOf(one)} (${one.license})`)
      return section(names, text)
    })
    .join('\n\n')
}

const contentOf = (files: string[]): string => files.map((file) => readFileSync(file, 'utf8').trim()).join('\n\n')

const section = (names: string[], text: string): string =>
  `${names.join('\n')}\n${'='.repeat(Math.max(...names.map(({ length }) => length)))}\n\n${text}\n`

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')
