import { globSync, readFileSync } from 'node:fs'
import t from 'tap'
import { createProgram } from '../bin/program.ts'
import { blocksOf, commandsOf, withoutCode } from '../tools/docs/markdown.ts'
import { at } from '../tools/root.ts'

t.test('the commands of YAML blocks are found', (t) => {
  const github =
    '      - run: npm ci\n      - uses: actions/checkout@v5\n        with: { run: { a: 1 } }\n      - run: |\n          one\n          two\n'
  t.strictSame(commandsOf({ lang: 'yaml', text: github }), ['npm ci', 'one', 'two'])
  const gitlab = 'audit:\n  script:\n    - one\n    - two\n  artifacts: { when: always }\n'
  t.strictSame(commandsOf({ lang: 'yaml', text: gitlab }), ['one', 'two'])
  t.strictSame(commandsOf({ lang: 'yaml', text: 'a: { b: [1] }\n' }), [])
  t.strictSame(commandsOf({ lang: 'sh', text: 'one\ntwo\n' }), ['one', 'two'])
  t.strictSame(commandsOf({ lang: 'json', text: '{"run":"one"}' }), [])
  const guide = blocksOf(readFileSync(at('docs/guides/ci.md'), 'utf8'))
  t.equal(guide.filter(({ lang }) => lang === 'yaml').flatMap(commandsOf).length, 4)
  t.end()
})

/** Phrases that readers of English stumble over, and plainer ones. */
const STUMBLING: [RegExp, instead: string][] = [
  [/\bso often\b/, 'limits how often'],
  [/\bin vain\b/, 'say what failed'],
  [/\bof itself\b/, 'by itself'],
  [/\bas well [a-z]+ed\b/, 'just as'],
  [/\bfrom (?!now\b|then\b)[\w %]+ on(?=[,.;|)]|$)/m, 'after, since, when … reaches'],
  [/\bcan be changed to have\b/, 'is easy to adapt'],
  [/\botherwise than\b|\banswers otherwise\b/, 'its answers differ'],
  [/\bfor ever\b/, 'always'],
]
const stumblesOf = (text: string) => STUMBLING.flatMap(([pattern, instead]) => (pattern.test(text) ? [instead] : []))

t.test('English pages and the help have no phrases that one stumbles over', (t) => {
  t.strictSame(stumblesOf('It answers so often, from the next request on.'), [
    'limits how often',
    'after, since, when … reaches',
  ])
  const pages = globSync(['*.md', 'docs/*.md', 'docs/{guides,reference,tutorials}/*.md', 'examples/**/README.md'], {
    cwd: at('.'),
  })
  t.ok(pages.length > 30)
  for (const page of pages)
    if (page !== 'CHANGELOG.md') t.strictSame(stumblesOf(withoutCode(readFileSync(at(page), 'utf8'))), [], page)
  const terminal = { out() {}, err() {} }
  const helpOf = (command: ReturnType<typeof createProgram>): string[] => [
    command.helpInformation(),
    ...command.commands.flatMap((one) => helpOf(one as typeof command)),
  ]
  const help = helpOf(createProgram(terminal as never))
  t.ok(help.length > 60)
  for (const text of help) t.strictSame(stumblesOf(text.replace(/\s+/g, ' ')), [], text.slice(0, 40))
  t.end()
})

t.test('docs/install.md names the packages of which npm warns with Node 20, and shows one warning', (t) => {
  const { packages } = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; engines?: { node?: string } }>
  }
  const needsNewer = ({ engines }: { engines?: { node?: string } }) =>
    engines?.node?.split('||').every((range) => Number(/\d+/.exec(range)?.[0]) > 20) ?? false
  const names = Object.entries(packages)
    .filter(([, one]) => needsNewer(one))
    .map(([path]) => path.replace('node_modules/', '') || 'mercadito')
  const page = readFileSync(at('docs/install.md'), 'utf8')
  const [section] = /^### With Node 20\n.*?(?=^## )/ms.exec(page)!
  t.equal(names.length, 6)
  t.match(section, 'prints six warnings')
  for (const name of names) t.match(section, new RegExp(`\\b${name}\\b`))
  const { version, engines } = packages['node_modules/better-sqlite3']!
  t.match(
    section,
    `package: 'better-sqlite3@${version}',\nnpm warn EBADENGINE   required: { node: '${engines!.node}' }`,
  )
  t.match(page, `dist/mercadito-${packages['']!.version}.tgz`)
  t.end()
})
