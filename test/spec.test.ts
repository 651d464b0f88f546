import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { readRules } from '../tools/rules.ts'
import { start } from './support/app.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The id prefixes of each page, as listed in docs/spec/README.md. */
const PREFIXES: Record<string, string[]> = Object.fromEntries(
  [...read('docs/spec/README.md').matchAll(/^\| \[(\w+)\.md\]\(\1\.md\) \| (.*?) \|/gm)].map(([, page, prefixes]) => [
    page!,
    prefixes!.replaceAll('`', '').split(', '),
  ]),
)
const SOURCES = ['documented', 'observed', 'assumed']

const rules = readRules()
const ids = new Set(rules.map(({ id }) => id))

t.test('rule ids are well-formed, unique and on the page of their prefix', async (t) => {
  t.strictSame(Object.keys(PREFIXES).sort(), [...new Set(rules.map(({ page }) => page))].sort())
  t.strictSame(
    rules.filter(({ id }) => !/^[a-z][a-z0-9_]*(\.[a-z0-9_]+)+$/.test(id)),
    [],
  )
  t.strictSame(
    rules.filter(({ page, id }) => !PREFIXES[page]!.includes(id.split('.', 1)[0]!)),
    [],
  )
  t.strictSame(
    rules.map(({ id }) => id).filter((id, n, all) => all.indexOf(id) !== n),
    [],
  )
})

t.test('every row is a rule with known sources', async (t) => {
  const rows = globSync('docs/spec/*.md', { cwd: root }).flatMap((file) => read(file).match(/^\| `.*$/gm) ?? [])
  t.equal(rows.length, rules.length, 'each row that starts with an id has three cells')
  t.strictSame(
    rules.filter(({ sources }) => !sources.every((source) => SOURCES.includes(source))),
    [],
  )
  t.strictSame(
    rules.filter(({ text }) => text.trim() === ''),
    [],
  )
})

t.test('every cited rule exists', async (t) => {
  const files = globSync(
    [
      '*.{ts,md}',
      '{bench,bin,capture,cluster,compare,control,db,docs,domains,examples,http,intercept,lib,mcp,plugins,replay,scan,stub_import}/**/*.{ts,md}',
    ],
    {
      cwd: root,
      exclude: ['**/node_modules'],
    },
  ).concat(globSync('{scenarios,test,tools}/**/*.ts', { cwd: root, exclude: ['**/node_modules', 'test/fixtures'] }))
  const cited = files.flatMap((file) =>
    // Written so that this line does not match itself.
    [...read(file).matchAll(/\[spec[:]([^\]]*)\]/g)].flatMap(([, names]) =>
      names!.split(',').map((id) => ({ file, id: id.replace(/^ /, '') })),
    ),
  )
  t.ok(cited.length > 0)
  t.strictSame(
    cited.filter(({ id }) => !ids.has(id)),
    [],
  )
})

t.test('rules and server list the same assumptions', async (t) => {
  const { control } = await start(t, { scenario: 'empty' })
  const { body } = await control('GET /assumptions')
  const listed = body.results as { name: string; source: string }[]
  t.equal(listed.length, body.paging.total)
  const named = rules.flatMap(({ assumptions }) => assumptions)
  t.strictSame([...new Set(named)].sort(), listed.map(({ name }) => name).sort())
  t.strictSame(
    listed.filter(
      ({ name, source }) => !rules.some((rule) => rule.assumptions.includes(name) && rule.sources.includes(source)),
    ),
    [],
    'with equal sources',
  )
})
