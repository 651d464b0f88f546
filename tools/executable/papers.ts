import { createHash } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { addonName } from './bundle.ts'
import { fetched, run } from './node.ts'
import { addonOf, at, binaryIn, builderOf, fileOf, json, nodeOf, type Platform } from './platforms.ts'

/** The docs page is files of this package, not code of it. */
const PAGE = 'node_modules/@fastify/swagger-ui'
/** Of what Node says about itself: the versions of interfaces and tables, no libraries. */
const NO_LIBRARIES = ['node', 'modules', 'napi', 'cldr', 'tz', 'unicode']

interface Component {
  'bom-ref': string
  name: string
  version: string
  components?: object[]
}

/**
 * Writes beside an executable what is in it (CycloneDX 1.5, without anything that changes from run to run) and under
 * which licences, and SHA256SUMS anew over all that lies in `folder`. `inside`: paths of the packages that went in.
 */
export function writePapers(platform: Platform, inside: string[], folder: string, work: string): void {
  const file = join(folder, fileOf(platform))
  const packages = [...new Set([...inside, PAGE])].sort()
  const bom = `${JSON.stringify(billOf(platform, packages, file, work), null, 2)}\n`
  writeFileSync(`${file}.cdx.json`, bom)
  writeFileSync(`${file}.licenses.txt`, licences(platform, packages, work))
  const files = readdirSync(folder).filter((name) => name !== 'SHA256SUMS')
  const sums = files.sort().map((name) => `${sha256(join(folder, name))}  ${name}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
}

/** npm's own bill of the lock file, less what is not inside, with Node and what that is made of. */
function billOf(platform: Platform, packages: string[], file: string, work: string) {
  // Of all packages: with --omit=dev npm forgets those that tools want too.
  const npm = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']
  const { serialNumber: _, metadata, components, dependencies, ...bill } = JSON.parse(run('npm', npm, at('.')))
  const there = new Set(packages.map((path) => refOf(json(`${path}/package.json`))))
  const kept = (components as Component[]).filter((one) => there.delete(one['bom-ref']))
  if (there.size > 0) throw new Error(`not in the lock file: ${[...there].join(', ')}`)
  for (const one of kept) if (one.name === 'better-sqlite3') one.components = addon(platform)
  const node = nodeComponent(platform, work)
  const { 'bom-ref': self, ...about } = metadata.component
  const refs = new Set([self, ...kept.map((one) => one['bom-ref'])])
  return {
    ...bill,
    metadata: {
      component: { 'bom-ref': self, ...about, name: 'mercadito', hashes: [{ alg: 'SHA-256', content: sha256(file) }] },
    },
    components: [...kept, node],
    dependencies: (dependencies as { ref: string; dependsOn?: string[] }[])
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn = [] }) => ({
        ref,
        dependsOn: [...dependsOn.filter((one) => refs.has(one)), ...(ref === self ? [node['bom-ref']] : [])],
      })),
  }
}

const refOf = ({ name, version }: { name: string; version: string }) => `${name}@${version}`

/** The addon as it came, and the SQLite that is compiled into it. */
const addon = (platform: Platform) => [
  {
    type: 'file',
    name: basename(addonOf(platform)),
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
  const builder = builderOf(platform)
  const versions = JSON.parse(
    run(binaryIn(fetched(builder, work), builder), ['-p', 'JSON.stringify(process.versions)']),
  )
  const { name, version } = nodeOf(platform)
  return {
    'bom-ref': refOf(nodeOf(platform)),
    type: 'platform',
    name: 'node',
    version,
    purl: `pkg:npm/${name}@${version}`,
    licenses: [{ license: { id: 'MIT' } }],
    components: Object.entries(versions as Record<string, string>)
      .filter(([name, version]) => version !== '' && !NO_LIBRARIES.includes(name))
      .map(([name, version]) => library(name, version)),
  }
}

/** The texts that whoever passes the file on must pass on with it. */
function licences(platform: Platform, packages: string[], work: string): string {
  const node = nodeOf(platform)
  // Windows' package has no text; that of its version is the same everywhere.
  const texts = [
    ['mercadito', [at('LICENSE')]],
    [
      `Node ${node.version}`,
      [node, builderOf(platform)]
        .map((one) => join(fetched(one, work), 'LICENSE'))
        .filter(existsSync)
        .slice(0, 1),
    ],
    ...packages.map((path) => [
      refOf(json(`${path}/package.json`)),
      globSync(at(`${path}/{LICENSE,LICENCE,license}*`)).sort(),
    ]),
  ] as [string, string[]][]
  return texts
    .map(
      ([name, files]) =>
        `${name}\n${'='.repeat(name.length)}\n\n${files.map((file) => readFileSync(file, 'utf8').trim()).join('\n\n')}\n`,
    )
    .join('\n\n')
}

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')
