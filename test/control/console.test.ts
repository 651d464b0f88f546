import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { InjectOptions } from 'fastify'
import t from 'tap'
import { LANGUAGES } from '../../web/words/words.ts'
import { start } from '../support/app.ts'

const assets = new URL('../../dist/assets/', import.meta.url).pathname
const asset = (name: string) => readFileSync(`${assets}${name}`)
const FILES: Record<string, string> = JSON.parse(asset('console.files.json').toString())
const textOf = (file: string) => gunzipSync(asset(`${file}.gz`)).toString()
const PAGE = '/_sandbox/console/'
const LOCAL = { host: 'localhost:4400' }

const { call, sellers, application } = await start(t)
const get = (url: string, headers: Record<string, string> = {}) => call({ url, headers: { ...LOCAL, ...headers } })

t.test('the page allows scripts by a nonce only, which changes each time', async (t) => {
  const nonces = new Set<string>()
  for (const url of [PAGE, '/w/2/_sandbox/console/', `${PAGE}?a=1`]) {
    const { status, headers, text } = await get(url)
    const [, nonce] = /script-src 'nonce-([\w+/=]{24})'/.exec(String(headers['content-security-policy'])) ?? []
    nonces.add(nonce!)
    t.equal(status, 200)
    t.match(headers, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    t.strictSame(text.match(/<script.*/g), [`<script type="module" nonce="${nonce}" src="console.app.js"></script>`])
    const preloaded = [...text.matchAll(/<link rel="modulepreload" nonce="([^"]+)" href="([^"]+)">/g)]
    t.strictSame(
      preloaded.filter(([, own, file]) => own !== nonce || !Object.hasOwn(FILES, file!)),
      [],
    )
    t.strictSame(
      ['console.app.js', ...preloaded.map(([, , file]) => file!)].sort(),
      staticImports('console.app.js').sort(),
    )
    t.notMatch(text, /<style|\sstyle=|\son\w+=|{{/)
  }
  t.equal(nonces.size, 3)
})

t.test('its files are sent gzipped, and again only after a change', async (t) => {
  t.ok(Object.keys(FILES).length > 3)
  for (const [file, etag] of Object.entries(FILES)) {
    const type = file.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8'
    const whole = await get(PAGE + file)
    t.match(whole, { status: 200, text: textOf(file) }, file)
    t.match(whole.headers, { 'content-type': type, etag, 'cache-control': 'no-cache', vary: 'accept-encoding' })
    t.equal(whole.headers['content-encoding'], undefined)
    t.equal(whole.headers['access-control-allow-origin'], undefined)
    const zipped = await get(PAGE + file, { 'accept-encoding': 'gzip, deflate, br' })
    t.match(zipped.headers, { 'content-encoding': 'gzip', 'content-length': `${asset(`${file}.gz`).length}` })
    t.equal((await get(PAGE + file, { 'accept-encoding': 'gzip;q=0, *' })).text, textOf(file))
    const unchanged = await get(PAGE + file, { 'if-none-match': etag })
    t.match(unchanged, { status: 304, text: '', headers: { etag } })
    t.equal((await get(PAGE + file, { 'if-none-match': '"other"' })).status, 200)
  }
  for (const file of ['console.none.js', 'console.files.json', 'migrations.json', '..%2Fmigrations.json', '__proto__'])
    t.equal((await get(PAGE + file)).status, 404, file)
  t.equal((await call({ method: 'POST', url: PAGE, headers: LOCAL })).status, 405)
})

t.test('addresses without the last slash, and the start of the control plane, lead to the page', async (t) => {
  for (const [url, location] of [
    ['/_sandbox/console', 'console/'],
    ['/_sandbox', '_sandbox/console/'],
    ['/_sandbox/', 'console/'],
  ] as const)
    for (const prefix of ['', '/w/2']) {
      const { status, headers } = await get(prefix + url)
      t.match({ status, headers }, { status: 302, headers: { location, 'cache-control': 'no-store' } }, prefix + url)
      t.equal(new URL(location, `http://h${prefix}${url}`).pathname, `${prefix}${PAGE}`)
    }
})

t.test('the console needs no token, but a name of this machine', async (t) => {
  const FOREIGN = { host: 'sandbox.example.com' }
  for (const url of [PAGE, `${PAGE}console.app.js`, '/_sandbox']) {
    const { status, body } = await call({ url, headers: FOREIGN })
    t.equal(status, 403, url)
    t.equal(body.message, 'Host: must be a name of this machine, such as localhost')
  }
  const link = { ...LOCAL, 'sec-fetch-site': 'cross-site', accept: 'text/html' }
  t.equal((await call({ url: PAGE, headers: link })).status, 200, 'a link of another site opens it')
  const exposed = await start(t, { isExposed: true, adminToken: 's3cret' })
  for (const headers of [LOCAL, FOREIGN]) {
    t.equal((await exposed.call({ url: PAGE, headers })).status, 200)
    t.equal((await exposed.call({ url: '/_sandbox/clock', headers })).status, 401)
  }
})

t.test('opening it is not recorded, and it contains no data', async (t) => {
  const requests: InjectOptions[] = [PAGE, '/_sandbox', '/'].map((url) => ({
    url,
    headers: { ...LOCAL, accept: 'text/html' },
  }))
  for (const request of requests) await call(request)
  t.equal((await get('/_sandbox/requests')).body.paging.total, 0)
  const { text } = await get(PAGE)
  for (const secret of [sellers[0]!.token, application.secret, String(sellers[0]!.id)]) t.notOk(text.includes(secret))
})

/** The files that a page with this one loads before it can show anything. */
function staticImports(file: string): string[] {
  const own = [...textOf(file).matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)].map(([, name]) => name!)
  return [...new Set([file, ...own.flatMap(staticImports)])]
}

/** The files of texts that these files load in a language. */
const textFilesOf = (files: string[], language: string): string[] =>
  files.flatMap((file) =>
    [...textOf(file).matchAll(/import\("\.\/(console\.texts_([a-z]{2})-[^"]+)"\)/g)].flatMap(([, name, found]) =>
      found === language ? [name!] : [],
    ),
  )

t.test('in each language the first screen has at most 45 kB, all screens 120 kB', async (t) => {
  const sizeOf = (files: string[]) => files.reduce((sum, file) => sum + asset(`${file}.gz`).length, 0)
  const all = Object.keys(FILES)
  const overview = all.find((file) => file.startsWith('console.overview-'))!
  const first = [...new Set(['console.style.css', ...['console.app.js', overview].flatMap(staticImports)])]
  const isText = (file: string) => file.startsWith('console.texts_')
  t.ok(first.length > 3)
  for (const language of LANGUAGES) {
    const texts = textFilesOf(first, language)
    t.equal(texts.length, 2, 'the common texts and those of the screen')
    const firstBytes = sizeOf([...first, ...texts])
    t.ok(firstBytes <= 45_000, `the first screen has ${firstBytes} bytes`)
    const allTexts = textFilesOf(all, language)
    t.ok(allTexts.length > texts.length)
    const allBytes = sizeOf([...all.filter((file) => !isText(file)), ...new Set(allTexts)])
    t.ok(allBytes <= 120_000, `all screens have ${allBytes} bytes`)
  }
})

t.test('its files name no other server', async (t) => {
  t.strictSame(
    globSync(`${assets}console.*.gz`)
      .map((path) => basename(path, '.gz'))
      .sort(),
    Object.keys(FILES).sort(),
  )
  const NAMESPACES = /http:\/\/www\.w3\.org\/(2000\/svg|1998\/Math\/MathML|1999\/xhtml)/g
  for (const text of [...Object.keys(FILES).map(textOf), asset('console.index.html').toString()])
    t.notMatch(
      text.replaceAll(NAMESPACES, '').replaceAll(/https?:\/\/(\$\{|127\.0\.0\.1)/g, ''),
      /https?:\/\/\w|[("' ]\/\/\w+\.\w/,
    )
})
