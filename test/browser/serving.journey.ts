import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setDefaultCACertificates } from 'node:tls'
import type { Page } from 'playwright-core'
import { createSelfSigned } from '../../bin/certificate.ts'
import { control } from '../../lib/control.ts'
import { type Journey, waitUntilLoaded } from './stage.ts'

const ADMIN_TOKEN = 'llave'
const CONSOLE = '/_sandbox/console/'

const tls = await createSelfSigned(['localhost'], ['127.0.0.1'])
// For this process, whose other calls do not use TLS.
setDefaultCACertificates([tls.cert])

/** Paths of everything that a page requests from now on, without the documents themselves. */
function collectPaths(page: Page): Set<string> {
  const paths = new Set<string>()
  page.on('request', (one) => one.isNavigationRequest() || paths.add(new URL(one.url()).pathname))
  return paths
}

const enterToken = async (page: Page, token: string) => {
  await page.getByLabel('Token de administración').fill(token)
  await page.getByRole('button', { name: 'Entrar' }).click()
}

const isLive = (page: Page) => page.getByRole('banner').getByText('En vivo').waitFor()

const MIN_SCREENS = 13

/** Opens each screen of the menu. Returns where their links lead, without the part of the console. */
async function linksOfScreens(page: Page): Promise<Set<string>> {
  const screens = page.locator('.sidebar a[href^="#/"]')
  await screens.nth(MIN_SCREENS - 1).waitFor()
  const count = await screens.count()
  const links = new Set<string>()
  for (let n = 0; n < count; n++) {
    await screens.nth(n).click()
    await waitUntilLoaded(page)
    const hrefs = await page
      .locator('a')
      .evaluateAll((all) => all.map((one) => (one as never as { href: string }).href))
    for (const href of hrefs) links.add(href.replace(/#.*/, ''))
  }
  return links
}

/** A proxy that has the server under a path, which it removes from requests. */
async function openProxy(prefix: string) {
  let target = ''
  const server = createServer((incoming, response) => {
    if (!incoming.url!.startsWith(`${prefix}/`)) return response.writeHead(404).end()
    const headers = { ...incoming.headers, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': incoming.headers.host! }
    const url = target + incoming.url!.slice(prefix.length)
    const outgoing = request(url, { method: incoming.method!, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    outgoing.on('error', () => response.destroy())
    response.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    connectTo(url: string) {
      target = url
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The headers of an answer, without those of the connection and the time. */
async function headersOf(url: string, sent: Record<string, string> = {}) {
  const answer = await fetch(url, { headers: sent, redirect: 'manual' })
  const { date: _, connection: __, 'keep-alive': ___, ...headers } = Object.fromEntries(answer.headers)
  return { status: answer.status, headers, text: await answer.text() }
}

export const journeys: Journey[] = [
  {
    title: 'serving: with TLS',
    server: { tls },
    context: { ignoreHTTPSErrors: true, permissions: ['clipboard-read', 'clipboard-write'] },
    async run({ page, url, api }) {
      assert.match(url, /^https:/)
      await page.goto(url)
      await page.getByRole('heading', { name: 'Resumen' }).waitFor()
      assert.equal(page.url(), url + CONSOLE)
      await isLive(page)
      await page.goto(`${url}${CONSOLE}#/requests`)
      await api('GET /users/me')
      await page.getByRole('table').getByRole('link').getByText('/users/me').click()
      await page.getByRole('region', { name: '1' }).getByText('VENDEDOR_MLA', { exact: true }).waitFor()
      await page.keyboard.press('c')
      await page.getByText('Copiado').first().waitFor()
      assert.equal(
        await page.evaluate('navigator.clipboard.readText()'),
        `curl ${url}/users/me \\\n  -H "Authorization: Bearer $MERCADITO_TOKEN"`,
      )
    },
  },
  {
    title: 'serving: the admin token is asked for, and kept in the tab only',
    server: { adminToken: ADMIN_TOKEN },
    async run({ page, url, control }) {
      const addresses: string[] = []
      page.context().on('request', (one) => addresses.push(one.url()))
      await page.goto(`${url}${CONSOLE}#/faults`)
      await enterToken(page, 'incorrecta')
      await page.getByRole('alert').getByText('El servidor no acepta este token.').waitFor()
      assert.equal(await page.getByLabel('Token de administración').inputValue(), '')
      await enterToken(page, ADMIN_TOKEN)
      await isLive(page)
      await page.getByText('No hay reglas').waitFor()
      await control.call('POST /faults', { body: { action: { status: 503 } } })
      await page.getByRole('table').getByRole('link').waitFor()
      await page.reload()
      await page.getByRole('table').getByRole('link').waitFor()
      await isLive(page)
      assert.equal(await page.evaluate('Object.values(sessionStorage).includes("llave")'), true)
      assert.equal(await page.evaluate('JSON.stringify(localStorage).includes("llave")'), false)
      assert.deepEqual(await page.context().cookies(), [])
      assert.deepEqual(
        addresses.filter((address) => address.includes(ADMIN_TOKEN)),
        [],
      )
      const other = await page.context().newPage()
      await other.goto(url + CONSOLE)
      await other.getByLabel('Token de administración').waitFor()
    },
  },
  {
    title: 'serving: behind a proxy, under a path, where links and calls of another world stay there',
    async run({ page, start }) {
      const proxy = await openProxy('/tienda')
      try {
        const options = { publicUrl: proxy.url, trustedProxies: ['127.0.0.1'], isExposed: true }
        proxy.connectTo(await start({ ...options, adminToken: ADMIN_TOKEN }))
        const { world } = await control(proxy.url, { adminToken: ADMIN_TOKEN }).call('POST /worlds', {
          body: { scenario: 'quiet' },
        })
        const paths = collectPaths(page)
        await page.goto(`${proxy.url}/`)
        await enterToken(page, ADMIN_TOKEN)
        await isLive(page)
        assert.equal(page.url(), proxy.url + CONSOLE)
        await page.locator('.sidebar').getByRole('link', { name: 'Guía' }).click()
        await page.getByText(`export MERCADITO_URL=${proxy.url}`).waitFor()
        await page.locator('.sidebar').getByRole('link', { name: 'Mundos' }).click()
        await page.getByRole('list', { name: 'Otros mundos' }).getByRole('link', { name: 'Mundo' }).click()
        await page.waitForURL(`${proxy.url}/w/${world.id}${CONSOLE}#/worlds`)
        await isLive(page)
        await page.goto(`${proxy.url}/w/${world.id}/`)
        await page.waitForURL(`${proxy.url}/w/${world.id}${CONSOLE}`)
        const pathsOfWorld = collectPaths(page)
        await page.reload()
        await isLive(page)
        assert.equal(await page.locator('.chip').innerText(), `Mundo ${world.id}`)
        const links = await linksOfScreens(page)
        // The list of worlds names the other one.
        const base = `/w/${world.id}`
        const expected = [CONSOLE, `${base}${CONSOLE}`, `${base}/docs`].map((path) => proxy.url + path)
        assert.deepEqual([...links].sort(), expected)
        assert.ok(pathsOfWorld.size > 30)
        for (const [from, allowed] of [
          [paths, '/tienda/'],
          [pathsOfWorld, `/tienda${base}/_sandbox/`],
        ] as const)
          assert.deepEqual(
            [...from].filter((path) => !path.startsWith(allowed)),
            [],
          )
      } finally {
        proxy.close()
      }
    },
  },
  {
    title: 'serving: page and files have exactly these headers',
    async run({ url }) {
      const page = await headersOf(url + CONSOLE)
      const [, nonce] = /nonce="([^"]+)"/.exec(page.text)!
      const safe = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }
      assert.deepEqual(page.headers, {
        ...safe,
        'content-type': 'text/html; charset=utf-8',
        'content-length': String(Buffer.byteLength(page.text)),
        'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
        'cache-control': 'no-store',
      })
      const file = await headersOf(`${url}${CONSOLE}console.app.js`, { 'accept-encoding': 'identity' })
      const { etag } = file.headers
      assert.match(etag!, /^"[\w-]{22}"$/)
      const cached = { ...safe, etag: etag!, 'cache-control': 'no-cache', vary: 'accept-encoding' }
      assert.deepEqual(file.headers, {
        ...cached,
        'content-type': 'text/javascript; charset=utf-8',
        'content-length': String(Buffer.byteLength(file.text)),
      })
      assert.deepEqual(await headersOf(`${url}${CONSOLE}console.app.js`, { 'if-none-match': etag! }), {
        ...{ status: 304, headers: cached, text: '' },
      })
    },
  },
]
