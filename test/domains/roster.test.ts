import { globSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { getTableName, isTable } from 'drizzle-orm'
import Fastify, { type FastifyPluginAsync } from 'fastify'
import t from 'tap'
import { DOMAINS, TABLES } from '../../domains/index.ts'
import { COMMON_ASSUMPTIONS } from '../../http/assumptions.ts'
import { modules } from '../../tools/roster.ts'

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const unique = (names: string[]) => [...new Set(names)]
const sorted = (names: Iterable<string>) => [...names].sort()

t.test('every folder of domains/ is in the roster, under its name', async (t) => {
  const folders = readdirSync(at('domains'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
    .map(({ name }) => name)
  t.strictSame(sorted(DOMAINS.map(({ name }) => name)), sorted(folders))
})

t.test('the generated modules match the roster; else run npm run generate', async (t) => {
  for (const [path, text] of Object.entries(modules())) t.equal(readFileSync(at(path), 'utf8'), text, path)
})

t.test('a domain describes all tables of its tables.ts, and no others', async (t) => {
  for (const { name, tables } of DOMAINS) {
    const [file] = globSync(`domains/${name}/tables.ts`, { cwd: at('.') })
    const declared = file ? Object.values(await import(at(file))).filter((value) => isTable(value)) : []
    t.strictSame(sorted(tables.map(({ table }) => getTableName(table))), sorted(declared.map(getTableName)), name)
  }
  const names = TABLES.map(({ table }) => getTableName(table))
  t.strictSame(names, unique(names))
})

t.test('each assumption belongs to one domain, and each switch to the assumption of its name', async (t) => {
  const all = [COMMON_ASSUMPTIONS, ...DOMAINS.map(({ assumptions }) => assumptions)].flatMap(Object.entries)
  const names = all.map(([name]) => name)
  t.strictSame(names, unique(names))
  for (const [name, { value }] of all) if (typeof value !== 'string') t.equal(value.name, name)
})

t.test('a domain publishes the topics that it declares, and each belongs to one domain', async (t) => {
  for (const { name, topics } of DOMAINS) {
    const code = globSync(`domains/${name}/*operations.ts`, { cwd: at('.') })
      .map((file) => readFileSync(at(file), 'utf8'))
      .join('\n')
    const published = [...code.matchAll(/\btopic: '([^']+)'/g)].map(([, topic]) => topic!)
    t.strictSame(sorted(topics), sorted(unique(published)), name)
  }
  const topics = DOMAINS.flatMap((domain) => domain.topics)
  t.strictSame(topics, unique(topics))
})

/** The routes that a plugin registers, such as `GET /items/:id`. */
async function routesOf(plugin: FastifyPluginAsync<never> | null): Promise<string[]> {
  const server = Fastify()
  const found: string[] = []
  server.addHook('onRoute', ({ method, url }) => {
    found.push(...[method].flat().map((one) => `${one} ${url}`))
  })
  if (plugin) await server.register(plugin as FastifyPluginAsync, {})
  return unique(found)
}

t.test('each route belongs to one domain', async (t) => {
  for (const part of ['routes', 'control'] as const) {
    const modules = await Promise.all(DOMAINS.map((domain) => domain[part]?.()))
    const routes = (await Promise.all(modules.map((module) => routesOf(module?.default ?? null)))).flat()
    t.ok(routes.length > 0)
    t.strictSame(routes, unique(routes), part)
  }
})
