import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { call, launchProgram } from '../support/bundle.ts'
import { receiver } from '../support/receiver.ts'

// A new domain is one folder and its entry in domains/index.ts: everything else is generated or iterates the roster.
// test/fixtures/new_domain/ has what a contributor writes; the test adds it to a copy of the repository. It also gives
// questions a new member.

const MINUTE = 60_000
t.setTimeout(10 * MINUTE)

const root = fileURLToPath(new URL('../..', import.meta.url))
const written = join(root, 'test/fixtures/new_domain')
const copy = mkdtempSync(join(tmpdir(), 'mercadito-new-domain-'))
t.teardown(() => rmSync(copy, { recursive: true, force: true }))

const inCopy = (path: string) => join(copy, path)
const read = (path: string) => readFileSync(inCopy(path), 'utf8')
const edit = (path: string, change: (text: string) => string) => writeFileSync(inCopy(path), change(read(path)))
const readJson = (path: string) => JSON.parse(read(path))

/** Runs a program of the copy with the Node of this process. Returns its exit code and all of its output. */
function node(...argv: string[]): { code: number | null; output: string } {
  const PATH = dirname(process.execPath) + delimiter + process.env.PATH
  const { status, stdout, stderr, error } = spawnSync(process.execPath, argv, {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    timeout: 5 * MINUTE,
    // A tap process in a tap process would report to its parent.
    env: { NODE_COMPILE_CACHE: inCopy('dist/compiled'), ...ENVIRONMENT, PATH, TAP_TIMEOUT: '240' },
  })
  if (error) throw error
  return { code: status, output: stdout + stderr }
}

const ENVIRONMENT = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^TAP/.test(name)))

function succeeds(t: Test, ...argv: string[]): string {
  const { code, output } = node(...argv)
  t.equal(code, 0, argv.join(' '), { diagnostic: code !== 0, output: code === 0 ? '' : output.slice(-5000) })
  return output
}

/**
 * Runs test files of the copy in one process, because loading the sources takes longer than most tests. Without tap's
 * runner, which would build each time. Returns the titles of the tests that failed.
 */
function failures(...files: string[]): string[] {
  const script = files.map((file) => `await import('./${file}')`).join('\n')
  const { code, output } = node('--env-file=tools/tap.env', '--input-type=module', '--eval', script)
  const titles = [...output.matchAll(/^not ok \d+ - (.*?)(?: # time=.*)?$/gm)].map(([, title]) => title!)
  // A file that cannot be loaded fails without tests.
  if ((code === 0) !== (titles.length === 0)) throw new Error(`no result of ${files}\n${output.slice(-5000)}`)
  return titles
}

/** The text with one change. Throws if it does not match. */
function changed(text: string, pattern: RegExp, replacement: string): string {
  const result = text.replace(pattern, replacement)
  if (result === text) throw new Error(`nothing matches ${pattern}`)
  return result
}

t.before(() => {
  const { stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  for (const path of stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path))))
    cpSync(join(root, path), inCopy(path))
  symlinkSync(join(root, 'node_modules'), inCopy('node_modules'))
})

/** All that is written for a boolean member of questions, `gift`: read, changed by control calls, in world files and the demo. */
const NEW_MEMBER: [file: string, pattern: RegExp, replacement: string][] = [
  ['tables.ts', /^ {4}hidden: .*\n/m, '$&    gift: integer().notNull().default(0),\n'],
  ['tables.ts', /^ {2}hidden: .*\n/m, `$&  gift: 'It is about a present',\n`],
  ['demo/seller_questions.ts', /\{ hold: 1, /, '$&gift: 1, '],
]

t.test('adds one folder, its entry in the roster, and what is generated', async (t) => {
  for (const [file, pattern, replacement] of NEW_MEMBER)
    edit(`domains/questions/${file}`, (text) => changed(text, pattern, replacement))
  cpSync(join(written, 'domains/reviews'), inCopy('domains/reviews'), { recursive: true })
  edit('domains/index.ts', (text) =>
    text
      .replace('import { shipments }', `import { reviews } from './reviews/index.ts'\nimport { shipments }`)
      .replace('  questions,\n', '  questions,\n  reviews,\n'),
  )
  edit('domains/fallback/table.ts', (text) => changed(text, /^ {2}\['GET \/reviews\/item\/.*\n/m, ''))
  edit('domains/fallback/table.ts', (text) => changed(text, /^const reviews = .*?^}\)\n/ms, ''))
  succeeds(t, 'tools/generate.ts', '--name', 'reviews')
  const { entries } = readJson('db/migrations/meta/_journal.json')
  const migration = read(`db/migrations/${entries.at(-1).tag}.sql`)
  t.match(migration, /^CREATE TABLE `review` \(/m)
  t.match(migration, /^ALTER TABLE `question` ADD `gift` integer DEFAULT 0 NOT NULL/m)
  t.match(read('bin/domains.ts'), "'reviews.per_buyer': ['one', 'many']")
  t.match(read('domains/shared/topics.ts'), "'reviews'")
  t.ok(readJson('world.schema.json').properties.reviews)
  t.strictSame(
    Object.keys(readJson('openapi.json').paths).filter((path) => path.startsWith('/reviews')),
    ['/reviews/item/{item_id}', '/reviews/{review_id}', '/reviews'],
  )
  t.ok(readJson('openapi.sandbox.json').paths['/_sandbox/reviews'].post)
})

t.test('passes the checks, and its control call has a type; a missing part is a type error', async (t) => {
  const descriptor = read('domains/reviews/index.ts')
  const members = [...descriptor.matchAll(/^ {2}(\w+)[:,]/gm)].map(([, name]) => name!)
  t.ok(members.length > 8)
  const mutants = new Map(
    members.map((member) => [
      `domains/reviews/without_${member}.ts`,
      {
        text: changed(descriptor, new RegExp(`^ {2}${member}[:,].*\n`, 'm'), ''),
        error: `Property '${member}' is missing`,
      },
    ]),
  )
  mutants.set('domains/reviews/without_column.ts', {
    text: changed(descriptor, /date_created: 'ms'/, `created: 'ms'`),
    error: `'created' does not exist`,
  })
  for (const [file, { text }] of mutants) writeFileSync(inCopy(file), text)
  writeFileSync(inCopy('test/typed_client.ts'), TYPED_CLIENT)
  // Not bin/tsc, which fails with the loader that tap gives to child processes.
  const { output } = node('node_modules/typescript/lib/tsc.js', '--noEmit', '--checkers', '1')
  const reported = new Set([...output.matchAll(/^(\S+)\(\d+,\d+\): error /gm)].map(([, file]) => file!))
  t.strictSame([...reported].sort(), [...mutants.keys()].sort(), 'nothing else is an error')
  for (const [file, { error }] of mutants) t.match(output, new RegExp(`^${file}\\(.*${error}`, 'm'), file)
  for (const file of [...mutants.keys(), 'test/typed_client.ts']) rmSync(inCopy(file))
  const written = [
    'domains/reviews',
    'domains/index.ts',
    'domains/shared/topics.ts',
    'domains/world_files.ts',
    'bin/domains.ts',
  ]
  succeeds(t, 'node_modules/.bin/biome', 'check', ...written)
  succeeds(t, 'node_modules/.bin/drizzle-kit', 'check')
})
const TYPED_CLIENT = `import { control } from '../lib/index.ts'
const { call } = control('')
export const id: number = (await call('POST /reviews', { body: { item_id: 'MLA1', rate: 5 } })).id
// @ts-expect-error: a rate is a number
await call('POST /reviews', { body: { item_id: 'MLA1', rate: 'five' } })
`

t.test('the tests demand its rules, its assumptions and its own test', async (t) => {
  succeeds(t, 'tools/build.ts')
  const files = ['test/spec.test.ts', 'test/control/assumptions.test.ts']
  t.strictSame(failures(...files).sort(), [
    'docs/reference/behaviour.md lists each assumption once and no other name',
    'each switch is tested in the tests of its domain',
    'rules and server list the same assumptions',
  ])
  for (const path of ['docs/spec/reviews.md', 'test/domains/reviews.test.ts']) cpSync(join(written, path), inCopy(path))
  edit('docs/spec/README.md', (text) =>
    text.replace('| [notifications.md]', '| [reviews.md](reviews.md) | `reviews` | reviews of listings |\n$&'),
  )
  edit('docs/reference/behaviour.md', (text) => text + BEHAVIOUR)
  // The ids of the rules.
  succeeds(t, 'tools/roster.ts')
  t.strictSame(
    failures(
      ...files,
      ...['architecture', 'openapi', 'domains/roster', 'domains/tables', 'domains/reviews'].map(
        (name) => `test/${name}.test.ts`,
      ),
    ),
    [],
  )
})
const BEHAVIOUR = `
### Reviews

| Name | What | Default | Alternatives | Source |
|---|---|---|---|---|
| \`reviews.own_item\` | review of one’s own listing | 400 \`bad_request\` | – | assumed |
| \`reviews.per_buyer\` | reviews of one listing by one buyer | \`one\` | \`many\` | assumed |
`

interface Review {
  id: number
  item_id: string
  reviewer_id: number
  date_created: string
}

t.test('the built server has the domain', async (t) => {
  const NOW = '2031-05-15T12:00:00.000Z'
  const ITEM = 'MLA1400000001'
  const FIRST_ID = 700_000_001
  const server = await launchProgram(t, inCopy('dist/mercadito.js'), {}, '--now', NOW)
  const { application, url } = server
  const [seller, buyer] = [server.sellers[0]!, server.buyers[0]!]
  const control = (request: string, body?: object, base = '') => {
    const [method, path] = request.split(' ') as [string, string]
    return call(server, method, `${base}/_sandbox${path}`, body)
  }
  const exportWorld = async (base = '') => (await control('GET /world', undefined, base)).body
  const exportReviews = async (base = ''): Promise<Review[]> => (await exportWorld(base)).reviews
  const demo = await exportReviews()

  await t.test('the demo has rows, up to the time of the world', async (t) => {
    t.ok(demo.length > 100)
    t.strictSame(
      demo.map(({ id }) => id),
      demo.map((_, n) => FIRST_ID + n),
    )
    const dates = demo.map(({ date_created }) => Date.parse(date_created))
    const [first, last] = [Math.min(...dates), Math.max(...dates)]
    const DAY = 24 * 60 * MINUTE
    t.ok(last <= Date.parse(NOW) && last > Date.parse(NOW) - 7 * DAY)
    t.ok(first > Date.parse(NOW) - 98 * DAY && first < Date.parse(NOW) - 80 * DAY)
  })

  await t.test('a call writes, publishes and is read', async (t) => {
    const { url: callback_url, received } = await receiver(t)
    const setting = `/applications/${application.id}/notifications`
    t.equal((await control(`PUT ${setting}`, { callback_url, topics: ['reviews'] })).status, 200)
    const { status, body } = await call(server, 'POST', '/reviews', { item_id: ITEM, rate: 5 }, buyer.token)
    t.equal(status, 201)
    t.ok(body.id > demo.at(-1)!.id)
    await control('POST /settle')
    t.match(received, [{ topic: 'reviews', resource: `/reviews/${body.id}`, user_id: seller.id }])
    t.equal(received.length, 1)
    await control(`DELETE ${setting}`)
    t.strictSame(await call(server, 'GET', received[0]!.resource), { status: 200, body })
    t.strictSame((await call(server, 'GET', `/reviews/item/${ITEM}`)).body.reviews[0], body)
    t.strictSame((await call(server, 'POST', '/reviews', { item_id: ITEM, rate: 5 })).status, 401)
    const described = (await call(server, 'OPTIONS', '/reviews')).body
    t.match(described, { name: 'Reviews', methods: [{ method: 'GET' }, { method: 'GET' }, { method: 'POST' }] })
  })

  await t.test('the command calls the control plane', async (t) => {
    const command = ['dist/mercadito.js', 'review', ITEM, '2', '--from', String(server.buyers[1]!.id), '--id', '7']
    t.strictSame(node(...command, '--url', url), {
      code: 0,
      output: `review   7\nlisting  ${ITEM}\nfrom     ${server.buyers[1]!.id}\nrate     2\nwritten  ${NOW}\n`,
    })
    t.match(node(...command, '--url', url), { code: 1, output: 'already' })
    t.match(node('dist/mercadito.js', 'review', ITEM, '6', '--url', url), { code: 2, output: 'from 1 to 5' })
  })

  await t.test('a world file has the reviews, and gives them back', async (t) => {
    const file = await exportWorld()
    t.equal(file.reviews.length, demo.length + 2)
    const { body } = await control('POST /worlds', { scenario: 'empty' })
    const base = `/w/${body.world.id}`
    t.strictSame(await exportReviews(base), [])
    t.equal((await control('PUT /world', file, base)).status, 200)
    const imported = await exportWorld(base)
    t.strictSame(imported.reviews, file.reviews)
    t.equal(imported.counters.review, file.counters.review)
    const broken = { ...file, reviews: [{ ...file.reviews[0], item_id: 'MLA1' }] }
    t.match(await control('PUT /world', broken, base), {
      status: 400,
      body: { message: 'reviews[0].item_id: the file has no listing MLA1' },
    })
  })

  await t.test('forks and snapshots keep the reviews, a reset restores those of the demo', async (t) => {
    const now = await exportReviews()
    const fork = await control('POST /worlds', { from: 1 })
    t.strictSame(await exportReviews(`/w/${fork.body.world.id}`), now)
    await control('POST /snapshots', { name: 'reviews' })
    await control('POST /reset')
    t.strictSame(await exportReviews(), demo)
    await control('POST /snapshots/reviews/restore')
    t.strictSame(await exportReviews(), now)
  })

  await t.test('questions have the new member', async (t) => {
    const { id, gift } = (await control('POST /questions', { item_id: ITEM, text: '¿Y?', flags: { gift: true } })).body
    t.equal(gift, true)
    t.match(await control(`GET /questions/${id}`), { status: 200, body: { id, gift: true, hold: false } })
    t.match(await control(`PATCH /questions/${id}`, { flags: { gift: false } }), { status: 200, body: { gift: false } })
    await control(`PATCH /questions/${id}`, { flags: { gift: true } })
    const file = await exportWorld()
    const gifts = (questions: { id: number; gift?: true }[]) => questions.filter((one) => one.gift).map((one) => one.id)
    t.ok(gifts(file.questions).length > 1, 'also in the demo')
    t.equal(gifts(file.questions).at(-1), id)
    const { body } = await control('POST /worlds', { scenario: 'empty' })
    const base = `/w/${body.world.id}`
    t.equal((await control('PUT /world', file, base)).status, 200)
    t.strictSame(gifts((await exportWorld(base)).questions), gifts(file.questions))
  })

  await t.test('a world without reviews numbers them from the first id', async (t) => {
    const { body } = await control('POST /worlds', { scenario: 'empty' })
    const base = `/w/${body.world.id}`
    await control('POST /items', { id: 'MLA1', seller_id: seller.id, title: 'Mesa', price: 100 }, base)
    t.match(await control('POST /reviews', { item_id: 'MLA1', rate: 3 }, base), { status: 201, body: { id: FIRST_ID } })
  })
  await server.stop()
})

t.test('an incomplete part is a failing test', async (t) => {
  const descriptor = 'domains/reviews/index.ts'
  const mutants: [
    changes: [file: string, pattern: RegExp, replacement: string][],
    tests: string[],
    titles: string[],
  ][] = [
    [
      [
        [descriptor, /times: \{.*?\}, /, ''],
        [descriptor, /topics: \['reviews'\]/, 'topics: []'],
        [descriptor, /reads: \['items', 'users'\]/, `reads: ['items']`],
        ['domains/reviews/world_file.ts', /tables: \{.*\}/, 'tables: {}'],
      ],
      ['domains/tables', 'domains/roster', 'architecture', 'control/world_file'],
      [
        'a domain publishes the topics that it declares, and each belongs to one domain',
        'another week moves every declared time, and nothing else',
        'domains import from each other only what their descriptors say',
        'every column that holds times is declared',
        'every table is exported, derived by an import, or omitted on purpose',
        'the generated modules match the roster; else run npm run generate',
      ],
    ],
    [
      [
        [descriptor, /^ {2}trimHistory,/m, '  trimHistory: null,'],
        [descriptor, /^ {2}commands,/m, '  commands: null,'],
      ],
      ['domains/tables', 'domains/roster'],
      [
        'a world has no row of a time after its now',
        'the generated modules match the roster; else run npm run generate',
      ],
    ],
  ]
  for (const [changes, tests, titles] of mutants) {
    const texts = new Map(changes.map(([file]) => [file, read(file)]))
    for (const [file, pattern, replacement] of changes) edit(file, (text) => changed(text, pattern, replacement))
    const failed = failures(...tests.map((name) => `test/${name}.test.ts`))
    t.strictSame(failed.sort(), titles, `without ${changes.map(([, pattern]) => pattern)}`)
    for (const [file, text] of texts) edit(file, () => text)
  }
})
