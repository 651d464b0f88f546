import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = globSync(
  ['app.ts', 'bin', 'lib', 'db', 'http', 'plugins', 'domains', 'control', 'scenarios'].map((folder) =>
    folder.endsWith('.ts') ? folder : `${folder}/**/*.ts`,
  ),
  { cwd: root },
)

/** What each file imports: paths of ours from the root, names of packages. */
const imports = files.flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name]) => ({
    file,
    name: name!.startsWith('.') ? relative(root, join(root, dirname(file), name!)) : name!,
  }))
})
const domainOf = (path: string) => /^domains\/(\w+)\//.exec(path)?.[1]

/** Who may write through whom: a domain imports another's operations and world-file section along these arrows only. */
const ARROWS: Record<string, string[]> = {
  questions: ['contacts'],
  items: ['questions'],
  flex: ['items'],
  oauth: ['notifications'],
}
/** Control calls write through the operations of any domain. */
const isControl = (file: string) => file.startsWith('control/') || file.includes('/control/')

t.test('who may import what', async (t) => {
  const wrong = imports.filter(({ file, name }) => {
    const [from, to] = [domainOf(file), domainOf(name)]
    if (file.startsWith('db/')) return name === 'fastify' || /^(domains|plugins|scenarios|bin|lib|app)/.test(name)
    if (file.startsWith('plugins/')) return /^(domains|scenarios|bin|lib|app)/.test(name)
    if (file.startsWith('lib/')) return name.startsWith('bin/')
    if (/^(bin|lib)\//.test(name)) return !file.startsWith('bin/')
    if (file.startsWith('domains/') && name.startsWith('control/')) return true
    if (isControl(file)) return false
    if (from && to && from !== to && to !== 'shared')
      return /(operations|world_file)\.ts$/.test(name)
        ? !ARROWS[from]?.includes(to)
        : !/\/(queries|tables|sites)\.ts$/.test(name)
    return from === 'shared' && to !== undefined && to !== 'shared'
  })
  t.strictSame(wrong, [])
})

t.test('what is published as types, and the client, need nothing of the server', async (t) => {
  const published = /^lib\/(types|operations|control|urls)\.ts$/
  t.strictSame(
    imports.filter(({ file, name }) => published.test(file) && !published.test(name)),
    [],
  )
})

t.test('drizzle stays in tables, queries and operations', async (t) => {
  const home = /^db\/|[/_](queries|operations|tables)\.ts$/
  t.strictSame(
    imports.filter(({ file, name }) => name.startsWith('drizzle') && !home.test(file)),
    [],
  )
})

t.test('only bin/ and lib/ know the process, only the clock knows the time, nothing is random', async (t) => {
  const saying = (pattern: RegExp, but: RegExp) =>
    files.filter(
      (file) =>
        !but.test(file) && pattern.test(readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')),
    )
  t.strictSame(saying(/\bprocess\./, /^(bin|lib)\//), [])
  t.strictSame(saying(/Date\.now|new Date\(\)|CURRENT_TIMESTAMP/, /^db\/clock\.ts$/), [])
  t.strictSame(saying(/Math\.random|\$defaultFn/, /^$/), [])
})
