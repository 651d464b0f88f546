import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { DOMAINS } from '../domains/index.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
/** The folders that each folder may import from. */
const FOLDERS: Record<string, string[]> = {
  'app.ts': ['api.ts', 'control', 'scenarios', 'domains', 'plugins', 'http', 'db'],
  'api.ts': ['control', 'domains', 'plugins', 'http', 'db'],
  bin: [
    'app.ts',
    'compare',
    'capture',
    'replay',
    'intercept',
    'mcp',
    'stub_import',
    'scan',
    'lib',
    'control',
    'scenarios',
    'domains',
    'cluster',
    'http',
    'db',
  ],
  compare: ['replay', 'lib', 'control', 'domains', 'http', 'db'],
  capture: ['lib', 'control', 'domains', 'http', 'db'],
  replay: ['app.ts', 'lib', 'control', 'scenarios', 'domains', 'http', 'db'],
  intercept: ['app.ts', 'lib', 'http', 'db'],
  mcp: ['lib', 'domains', 'http', 'db'],
  scan: ['stub_import', 'lib', 'domains', 'http', 'db'],
  stub_import: ['replay', 'lib', 'control', 'domains', 'http', 'db'],
  lib: ['app.ts', 'control', 'scenarios', 'domains', 'http', 'db'],
  control: ['scenarios', 'domains', 'plugins', 'http', 'db'],
  scenarios: ['domains', 'db'],
  domains: ['http', 'db'],
  plugins: ['http', 'db'],
  cluster: ['http', 'db'],
  http: ['db'],
  db: [],
}
const SOURCES = Object.keys(FOLDERS)
const files = SOURCES.flatMap((source) =>
  source.endsWith('.ts') ? source : globSync(`${source}/**/*.ts`, { cwd: root }),
)

const consoleFiles = globSync('web/**/*.{ts,tsx,js}', { cwd: root })

/** Files of a domain without state, which other domains may import. */
const PURE = [
  'currencies/currencies.ts',
  'flex/capability.ts',
  'items/categories.ts',
  'items/details.ts',
  'items/fees.ts',
  'items/file_details.ts',
  'orders/schemas.ts',
  'orders/states.ts',
  'shipments/states.ts',
  'users/documents.ts',
  'users/sites.ts',
]

/** Files that are data, or are generated: they may have more than MAX_FILE_LINES lines. */
const DATA = [
  'domains/questions/demo/texts.es.ts',
  'domains/questions/demo/texts.pt.ts',
  'http/rules.ts',
  'lib/operations.ts',
]
const MAX_FILE_LINES = 300
const MAX_FUNCTION_LINES = 80
const MAX_CONSOLE_LINES = 250

/** Which domains each domain reads (queries.ts, tables.ts and the files of PURE), and whose operations.ts it calls. */
const USES = new Map(DOMAINS.map(({ name, uses }) => [name, uses]))

interface Import {
  file: string
  /** Path from the root, or the name of a package. */
  name: string
}

const IMPORT = /(?:^(?:import|export)\b[^';]*\bfrom\s*|^import\s*|\bimport\s*\(\s*)'([^']+)'/gm
const importsOf = (file: string): Import[] =>
  [...read(file).matchAll(IMPORT)].map(([, name]) => ({
    file,
    name: name!.startsWith('.') ? relative(root, join(root, dirname(file), name!)) : name!,
  }))
const imports = files.flatMap(importsOf)
const isOurs = (name: string) => SOURCES.includes(folderOf(name))
function folderOf(path: string): string {
  return path.split('/')[0]!
}
const domainOf = (path: string) => /^domains\/(\w+)\//.exec(path)?.[1]
/** `file → name` of imports that are not allowed. */
const arrows = (wrong: Import[]) => wrong.map(({ file, name }) => `${file} → ${name}`)

t.test('folders import only from the folders below', async (t) => {
  t.strictSame(
    arrows(
      imports.filter(({ file, name }) => {
        const [from, to] = [folderOf(file), folderOf(name)]
        return isOurs(name) && from !== to && !FOLDERS[from]!.includes(to)
      }),
    ),
    [],
  )
})

t.test('each arrow between folders is used', async (t) => {
  const used = new Set(imports.map(({ file, name }) => `${folderOf(file)} → ${folderOf(name)}`))
  const allowed = Object.entries(FOLDERS).flatMap(([from, all]) => all.map((to) => `${from} → ${to}`))
  t.strictSame(
    allowed.filter((arrow) => !used.has(arrow)),
    [],
  )
})

/** Whether a file of a domain may import a file of another domain. */
function mayImport(file: string, name: string): boolean {
  const [from, to] = [domainOf(file)!, domainOf(name)!]
  if (to === 'shared') return true
  if (from === 'shared') return false
  const { reads = [], writes = [], controlWrites = [] } = USES.get(from)!
  if (/[/_]operations\.ts$/.test(name))
    return writes.includes(to) || (/\/control[./]/.test(file) && controlWrites.includes(to))
  // One section of a world file may contain that of another domain as a member.
  if (file.endsWith('world_file.ts') && name.endsWith('/world_file.ts')) return reads.includes(to)
  return reads.includes(to) && (/[/_](queries|tables)\.ts$/.test(name) || PURE.includes(name.replace('domains/', '')))
}

t.test('domains import from each other only what their descriptors say', async (t) => {
  t.strictSame(
    arrows(
      imports.filter(({ file, name }) => {
        const [from, to] = [domainOf(file), domainOf(name)]
        return from !== undefined && to !== undefined && from !== to && !mayImport(file, name)
      }),
    ),
    [],
  )
})

t.test('each domain that a descriptor names is used', async (t) => {
  const kindOf = ({ file, name }: Import) =>
    !/[/_]operations\.ts$/.test(name) ? 'reads' : /\/control[./]/.test(file) ? 'controlWrites' : 'writes'
  const used = new Set(imports.map((one) => `${domainOf(one.file)} ${kindOf(one)} ${domainOf(one.name)}`))
  const allowed = [...USES].flatMap(([domain, kinds]) =>
    Object.entries(kinds as Record<string, string[]>).flatMap(([kind, all]) =>
      all.map((to) => `${domain} ${kind} ${to}`),
    ),
  )
  t.strictSame(
    allowed.filter((arrow) => !used.has(arrow)),
    [],
  )
})

t.test('only the roster imports the descriptors of domains', async (t) => {
  t.strictSame(
    arrows(imports.filter(({ file, name }) => /^domains\/\w+\/index\.ts$/.test(name) && file !== 'domains/index.ts')),
    [],
  )
})

t.test('no files import each other in a cycle, not even types', async (t) => {
  const all = [...files, ...consoleFiles]
  const targets = Map.groupBy(
    all.flatMap(importsOf).filter(({ name }) => all.includes(name)),
    ({ file }) => file,
  )
  const reachedFrom = (start: string) => {
    const reached = new Set<string>()
    const queue = [start]
    for (const file of queue)
      for (const { name } of targets.get(file) ?? [])
        if (!reached.has(name)) {
          reached.add(name)
          queue.push(name)
        }
    return reached
  }
  t.strictSame(
    all.filter((file) => reachedFrom(file).has(file)),
    [],
  )
})

t.test('the published types and the client import nothing of the server', async (t) => {
  const published = /^lib\/(types|events|operations|control|urls)\.ts$/
  t.strictSame(arrows(imports.filter(({ file, name }) => published.test(file) && !published.test(name))), [])
})

t.test('the console imports nothing of the server but the client of the control plane', async (t) => {
  const client = /^lib\/(types|events|control|urls)\.ts$/
  // Modules of Node are in the programs that the console writes; esbuild rejects them in its own code.
  const isAllowed = (name: string) =>
    name.startsWith('web/') || client.test(name) || /^(preact|@preact|node:)/.test(name)
  t.ok(consoleFiles.length > 20)
  t.strictSame(arrows(consoleFiles.flatMap(importsOf).filter(({ name }) => !isAllowed(name))), [])
  t.strictSame(arrows(imports.filter(({ name }) => folderOf(name) === 'web')), [])
})

t.test(`files of the console have at most ${MAX_CONSOLE_LINES} lines`, async (t) => {
  t.strictSame(
    consoleFiles.filter((file) => linesOf(file).length > MAX_CONSOLE_LINES),
    [],
  )
})

t.test('plugins/ has plugins only, each with its name and dependencies', async (t) => {
  for (const file of files.filter((file) => folderOf(file) === 'plugins')) {
    const exported = read(file).match(/^export (?!interface |type )[^(<]*/gm) ?? []
    t.ok(exported.length > 0)
    t.strictSame(
      exported.filter((start) => !/^export (default|const \w+ =) fp$/.test(start)),
      [],
      file,
    )
    t.equal(read(file).match(/\{ name: '[\w ]+', dependencies: \[/g)?.length, exported.length, file)
  }
})

/** Files with functions of control calls besides those of the emulated API. */
const ALSO_CONTROL = [
  'domains/contacts/series_operations.ts',
  'domains/credits/operations.ts',
  'domains/flex/errors.ts',
  'domains/flex/item_operations.ts',
  'domains/flex/setting_operations.ts',
  'domains/flex/subscription_operations.ts',
  'domains/oauth/errors.ts',
  'domains/orders/errors.ts',
  'domains/questions/states.ts',
  'domains/shared/errors.ts',
  'domains/shared/past_instants.ts',
  'domains/shipments/errors.ts',
]

t.test('errors without a rule are those of control calls', async (t) => {
  const control = /^control\/|\/control\/|world_file|control(_\w+)?\.ts$/
  const importing = imports.filter(({ name }) => name === 'http/errors/control_errors.ts').map(({ file }) => file)
  t.strictSame(importing.filter((file) => !control.test(file)).sort(), ALSO_CONTROL)
  const creating = /\bnew AnsweredError\(|\bhttpErrors\b|\b(reply|app)\.(assert|badRequest|notFound|forbidden)\(/
  t.strictSame(
    files.filter((file) => creating.test(codeOf(file))),
    ['http/errors/control_errors.ts', 'http/errors/error_handler.ts', 'http/errors/errors.ts'],
  )
})

t.test('drizzle stays in db/, tables, queries and operations', async (t) => {
  const allowed = /^db\/|[/_](queries|operations|tables)\.ts$/
  t.strictSame(arrows(imports.filter(({ file, name }) => name.startsWith('drizzle') && !allowed.test(file))), [])
})

t.test('only bin/ uses commander, and db/ no HTTP', async (t) => {
  t.strictSame(arrows(imports.filter(({ file, name }) => name === 'commander' && folderOf(file) !== 'bin')), [])
  t.strictSame(
    arrows(imports.filter(({ file, name }) => folderOf(file) === 'db' && /fastify|^node:http/.test(name))),
    [],
  )
})

/** The code of a file without comments. */
function codeOf(file: string): string {
  return read(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
}

t.test('db/ knows no domain', async (t) => {
  const names = files.filter((file) => /^domains\/\w+\/tables\.ts$/.test(file)).flatMap(tableNamesOf)
  // Errors and listeners have messages, too.
  const words = new RegExp(`['"\`. ](${names.filter((name) => name !== 'message').join('|')})\\b`)
  t.ok(names.includes('question'))
  t.strictSame(
    files.filter((file) => folderOf(file) === 'db' && words.test(codeOf(file))),
    [],
  )
})
function tableNamesOf(file: string): string[] {
  return [...read(file).matchAll(/sqliteTable\(\s*'(\w+)'/g)].map(([, name]) => name!)
}

t.test('only bin/ and lib/ know the process, only the clock knows the time, nothing is random', async (t) => {
  const filesWith = (pattern: RegExp, allowed: RegExp) =>
    files.filter((file) => !allowed.test(file) && pattern.test(codeOf(file)))
  t.strictSame(filesWith(/\bprocess\./, /^(bin|lib)\//), [])
  t.strictSame(filesWith(/Date\.now|new Date\(\)|CURRENT_TIMESTAMP/, /^db\/clock\.ts$/), [])
  // Fake timers of a test runner must not stop a sandbox; heartbeats of event streams only keep connections open.
  const usesTimers = /\b((set|clear)(Timeout|Interval|Immediate)\b|node:timers)/
  // The command line runs no sandbox of a test.
  const allowed = /^(bin|intercept|mcp|lib\/cli)\/|^db\/timers\.ts$|\/sse_response\.ts$/
  t.strictSame(
    filesWith(usesTimers, allowed).filter((file) => !/from '.*\/timers\.ts'/.test(read(file))),
    [],
  )
  t.strictSame(filesWith(/Math\.random|\$defaultFn/, /^$/), [])
})

t.test(`files have at most ${MAX_FILE_LINES} lines, functions at most ${MAX_FUNCTION_LINES}`, async (t) => {
  const code = files.filter((file) => !DATA.includes(file))
  t.strictSame(
    code.filter((file) => linesOf(file).length > MAX_FILE_LINES),
    [],
  )
  t.strictSame(code.flatMap(longFunctionsOf), [])
})
function linesOf(file: string): string[] {
  return read(file).trimEnd().split('\n')
}

/**
 * `file: name` of each function that is too long. The sources are formatted: a body begins at the end of a line,
 * and ends at the next line that has the same indentation and begins with a brace.
 */
function longFunctionsOf(file: string): string[] {
  const lines = linesOf(file)
  const indentationOf = (line: string) => line.length - line.trimStart().length
  return lines.flatMap((line, n) => {
    if (!/(=>|\)|\)(: | is ).*) \{$/.test(line) || /^\s*(\} )?(if|for|while|switch|else|catch)\b/.test(line)) return []
    const indentation = indentationOf(line)
    const starts = (other: string) => other !== '' && indentationOf(other) === indentation
    // A signature of several lines ends with a line such as `): Promise<void> {`.
    const first = /^\s*[)}\]]/.test(line) ? lines.findLastIndex((other, m) => m < n && starts(other)) : n
    const last = lines.findIndex((other, m) => m > n && starts(other) && other.trimStart().startsWith('}'))
    const [, name = lines[first]!.trim()] = /(?:function|const) (\w+)/.exec(lines[first]!) ?? []
    return last - first + 1 > MAX_FUNCTION_LINES ? `${file}: ${name}` : []
  })
}
