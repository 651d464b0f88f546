import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t from 'tap'
import { readStubs } from '../../stub_import/index.ts'
import { inProcess, startCommandServer } from '../support/commands.ts'

const root = mkdtempSync(join(tmpdir(), 'mercadito-scan-'))
t.teardown(() => rmSync(root, { recursive: true }))
let folders = 0
/** A program with these files. */
function programOf(files: Record<string, string>): string {
  const folder = join(root, String(++folders))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}
const scan = async (folder: string, ...flags: string[]) => {
  const { code, output, errors } = await inProcess('stub', 'scan', folder, '--json', ...flags)
  t.same([code, errors], [0, ''])
  return JSON.parse(output)
}
/** `GET /items/{} shop.py:3`: all calls of a program. */
const callsOf = async (files: Record<string, string>): Promise<string[]> =>
  (await scan(programOf(files))).calls.map(
    ({ method, path, places }: { method: string; path: string; places: string[] }) =>
      `${method ?? 'any'} ${path} ${places.join(' ')}`,
  )

/** A program in each language, and its calls. */
const PROGRAMS: Record<string, [source: string, calls: string[]]> = {
  'shop.js': [
    `// fetch('https://api.mercadolibre.com/sites/MLA/currencies')
const BASE = process.env.API || 'https://api.mercadolibre.com'
const item = (id) => fetch(\`\${BASE}/items/\${id}?attributes=id,title\`)
const answer = (text) => fetch(BASE + '/answers', { method: 'POST', body: text.replace(/['"]/g, '') })
app.get('/items/:id', (request, reply) => reply.send('ok'))`,
    ['POST /answers shop.js:4', 'GET /items/{} shop.js:3'],
  ],
  'shop.ts': [
    `const http = axios.create({ baseURL: 'https://api.mercadolibre.com' })
export const pack = (id: string) => http.get<Pack>(\`packs/\${encodeURIComponent(id)}\`)
export const ask = (text: string) => http.post('questions', { text })`,
    ['GET /packs/{} shop.ts:2', 'POST /questions shop.ts:3'],
  ],
  'shop.py': [
    `"""Calls https://api.mercadolibre.com/users/me."""
class Shop:
    base = "https://api.mercadolibre.com"
    def order(self, id):
        url = f"{self.base}/orders/{id}"
        return requests.get(url, headers={"x": "y"})
    def user(self, id):
        return self._get("/users/{}/addresses".format(id))
    def note(self, id):
        return requests.post(self.base + "/orders/%s/notes" % id)
    def many(self):
        return requests.get("https://api.mercadolibre.com"
                            "/items?ids=MLA1")`,
    [
      'GET /items shop.py:12',
      'GET /orders/{} shop.py:5',
      'POST /orders/{}/notes shop.py:10',
      'GET /users/{}/addresses shop.py:8',
    ],
  ],
  'shop.php': [
    `<p>It's a page: https://api.mercadolibre.com/currencies</p>
<?php
const API = 'https://api.mercadolibre.com';
$meli->put('/items/' . $item['id'], $body);
$client->request('DELETE', "{$this->base}/questions/$id");
curl(sprintf('%s/shipments/%d', API, $id)); ?>
Don't`,
    ['PUT /items/{} shop.php:4', 'DELETE /questions/{} shop.php:5', 'any /shipments/{} shop.php:6'],
  ],
  'shop.rb': [
    `=begin
https://api.mercadolibre.com/currencies
=end
URL = 'https://api.mercadolibre.com'
Net::HTTP.get_response(URI(URL + "/items/#{id}"))
client.delete("/questions/#{question.id}")`,
    ['GET /items/{} shop.rb:5', 'DELETE /questions/{} shop.rb:6'],
  ],
  'shop.go': [
    `const base = "https://api.mercadolibre.com"
type Item struct { ID string \`json:"/items/{id}"\` }
func a(id string) { http.Get(fmt.Sprintf("%s/items/%s/description", base, id)) }
func b() { http.NewRequest("POST", base+"/items", nil) }`,
    ['POST /items shop.go:4', 'GET /items/{}/description shop.go:3'],
  ],
  'Shop.java': [
    `class Shop {
  static final String BASE = "https://api.mercadolibre.com";
  String item(String id) { return rest.getForObject(BASE + "/items/" + id, String.class); }
  String site() { return rest.getForObject(String.format("%s/sites/%s/categories", BASE, "MLA"), String.class); }
}`,
    ['GET /items/{} Shop.java:3', 'GET /sites/{}/categories Shop.java:4'],
  ],
  'Shop.cs': [
    `const string Base = "https://api.mercadolibre.com";
Task<string> Order(long id) => client.GetStringAsync($"{Base}/orders/{id}");
Task Answer() => client.PostAsync(@"https://api.mercadolibre.com/answers", body);`,
    ['POST /answers Shop.cs:3', 'GET /orders/{} Shop.cs:2'],
  ],
}

t.test('finds the calls in each language', async (t) => {
  for (const [file, [source, calls]] of Object.entries(PROGRAMS))
    t.strictSame(await callsOf({ [file]: source }), calls, file)
})

const SHOP = {
  'src/shop.js': `const BASE = 'https://api.mercadolibre.com'
fetch(BASE + '/users/me')
fetch(BASE + '/projects/' + id)
fetch(BASE + '/projects/' + id, { method: 'DELETE' })
fetch(BASE + '/promises/' + APP_USR-1)
fetch(BASE + '/promises/TG-5818d374e4b0e12c9a2948cb-186159953')`,
}

t.test('says what is answered, and prints no tokens', async (t) => {
  const { code, output } = await inProcess('stub', 'scan', programOf(SHOP))
  t.equal(code, 0)
  t.equal(
    output,
    `answer    method  path           place
missing   DELETE  /projects/{}   src/shop.js:4
missing   GET     /projects/{}   src/shop.js:3
missing   GET     /promises/***  src/shop.js:6
missing   GET     /promises/{}   src/shop.js:5
emulated  GET     /users/me      src/shop.js:2
4 missing, 1 emulated; 1 files read, 0 left out
`,
  )
})

t.test('writes a configuration, stubs and a first test once', async (t) => {
  const { 'src/shop.js': text } = SHOP
  const folder = programOf({ 'src/shop.js': text.split('\n').slice(0, 4).join('\n') })
  const { written, command } = await scan(folder, '--write')
  t.strictSame(
    written.map((file: string) => file.slice(folder.length + 1)),
    ['mercadito.json', 'mercadito.test.mjs', 'mercadito-stubs.json'],
  )
  t.equal(
    command,
    "mercadito exec -- sh -c 'mercadito stub import mercadito-stubs.json && node --test mercadito.test.mjs'",
  )
  t.strictSame(JSON.parse(readFileSync(join(folder, 'mercadito.json'), 'utf8')), { scenario: 'demo', seed: 1 })
  const { stubs, skipped } = await readStubs(join(folder, 'mercadito-stubs.json'), {})
  t.same(
    stubs.map(({ match }) => match),
    ['GET', 'DELETE'].map((method) => ({ method, path: '/projects/{value1}' })),
  )
  t.strictSame(skipped, [])
  // What is written answers, and is not replaced.
  const { calls } = await scan(folder)
  t.strictSame(
    calls.map(({ status }: { status: string }) => status),
    ['stub', 'stub', 'emulated'],
  )
  const again = await inProcess('stub', 'scan', folder, '--write')
  t.same(
    [again.code, again.errors],
    [2, `mercadito: ${join(folder, 'mercadito.json')} exists; add --force to replace it\n`],
  )
  t.equal((await inProcess('stub', 'scan', folder, '--write', '--force')).code, 0)
})

t.test('writes the first test in the language of the program', async (t) => {
  for (const [file, [source]] of Object.entries(PROGRAMS)) {
    const folder = programOf({ [file]: source })
    await scan(folder, '--write')
    const test = readdirSync(folder).find((name) => /test/i.test(name))!
    t.match(readFileSync(join(folder, test), 'utf8'), 'MERCADITO_URL', file)
  }
})

/** Those that start at once, and are on every machine that runs the gate. */
const INTERPRETED = {
  'shop.py': ['python3', '-m', 'unittest'],
  'shop.php': ['php'],
  'shop.js': [process.execPath, '--test'],
}

t.test('the first test passes with the token of a seller, and fails without', async (t) => {
  const { url, sellers } = await startCommandServer(t)
  const { id, token } = sellers[0]!
  for (const [file, [command, ...args]] of Object.entries(INTERPRETED) as [string, [string, ...string[]]][]) {
    const folder = programOf({ [file]: PROGRAMS[file]![0] })
    await scan(folder, '--write')
    const test = readdirSync(folder).find((name) => /test/i.test(name))!
    const run = async (given: string) => {
      const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
      const env = { ...inherited, MERCADITO_URL: url, MERCADITO_TOKEN: given, MERCADITO_SELLER_ID: String(id) }
      const [code] = await once(spawn(command, [...args, test], { cwd: folder, env, stdio: 'ignore' }), 'exit')
      return code
    }
    t.strictSame([await run(token), await run('none')], [0, 1], file)
  }
})

t.test('knows the stubs of the configuration, and those given', async (t) => {
  const folder = programOf({
    ...SHOP,
    'mercadito.json': '{"load":"world.json"}',
    'world.json': '{"version":1,"stubs":[{"match":{"path":"/promises/*"},"answer":{}}]}',
    'more.json': JSON.stringify({ openapi: '3.1.0', paths: { '/projects/{id}': { get: { responses: { 200: {} } } } } }),
  })
  const { calls } = await scan(folder, '--stubs', join(folder, 'more.json'))
  t.strictSame(
    calls.map(({ status }: { status: string }) => status),
    ['missing', 'stub', 'stub', 'stub', 'emulated'],
  )
})

t.test('a path is typed if a typed answer has it, else missing', async (t) => {
  const fetching = (path: string) => `fetch('https://api.mercadolibre.com${path}')\n`
  const { calls } = await scan(programOf({ 'a.js': ['/trends/MLA', '/global/a/b', '/carts/1'].map(fetching).join('') }))
  t.strictSame(
    calls.map(({ path, status }: { path: string; status: string }) => `${path} ${status}`),
    ['/carts/{} missing', '/global/a/b typed', '/trends/{} typed'],
  )
})

t.test('leaves out what is no source of the program', async (t) => {
  const call = "fetch('https://api.mercadolibre.com/items/1')\n"
  const folder = programOf({
    'a.js': call.replace('items', 'orders'),
    ...Object.fromEntries(
      ['node_modules/a.js', 'vendor/a.js', 'dist/a.js', '.git/a.js', 'a.min.js', 'a.txt'].map((f) => [f, call]),
    ),
    'large.js': call + '//'.padEnd(1024 * 1024),
    'bundle.js': `${call}const a = '${'x'.repeat(6000)}'`,
    'binary.js': `${call}\0`,
  })
  const outside = programOf({ 'b.js': call })
  symlinkSync(outside, join(folder, 'linked'))
  symlinkSync(join(outside, 'b.js'), join(folder, 'link.js'))
  const { calls, skipped, files } = await scan(folder)
  t.strictSame([calls.length, calls[0].path, skipped, files], [1, '/orders/{}', 4, 1])
})

t.test('finds no calls in programs of something else', async (t) => {
  t.strictSame(await callsOf({ 'a.js': "app.get('/items/:id'); fetch('/users/1')" }), [])
})

t.test('says what is wrong with a folder', async (t) => {
  const empty = programOf({ 'a.txt': '' })
  for (const [folder, message] of [
    [join(root, 'none'), `cannot read ${join(root, 'none')} (ENOENT)`],
    [empty, `${empty}: no sources in JavaScript, TypeScript, Python, PHP, Ruby, Go, Java or C#`],
  ] as const)
    t.same(await inProcess('stub', 'scan', folder), { code: 2, output: '', errors: `mercadito: ${message}\n` })
})
