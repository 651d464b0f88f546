import { tmpdir } from 'node:os'
import type { Browser, Page } from 'playwright-core'
import { build } from '../../app.ts'
import { createTemporaryFolder } from '../../db/folders.ts'
import type { Report } from '../../tools/docs/report.ts'
import {
  type Call,
  callsOf,
  EXCEPTIONS,
  FILLED,
  prepareSales,
  prepareWorld,
  rankOf,
  readDocument,
} from '../support/docs_calls.ts'

/** Ms for the page to load, and for an answer to arrive. */
const TIMEOUT_MS = 30_000

/** Calls whose forms differ in kind; tests of the page's modules send all (test/web/docs_forms.test.ts). */
const SAMPLE = new Set([
  'POST /oauth/token',
  'GET /authorization',
  'POST /authorization',
  'GET /items',
  'GET /questions/search',
  'POST /questions',
  'POST /my/questions/hidden',
  'GET /users/{user_id}/contacts/questions',
  'POST /shipping/flex/sites/{site_id}/configuration/v3',
  'DELETE /questions/{question_id}',
  'GET /_sandbox/world',
  'POST /_sandbox/questions',
  'GET /_sandbox/contacts/series',
  'PATCH /_sandbox/assumptions/{name}',
  'POST /_sandbox/deliveries/{id}/hold',
  'POST /_sandbox/faults',
  'POST /_sandbox/reset',
])
/** Calls that need something which calls before them may have used or made: the page is loaded again, with other values. */
const FRESH = new Set([
  'POST /items/{item_id}/description',
  'PUT /orders/{order_id}/notes/{note_id}',
  'POST /shipments/{shipment_id}/seller_notifications',
  'POST /post-purchase/v1/claims/{claim_id}/expected-resolutions/partial-refund',
  'POST /_sandbox/deliveries/{id}/hold',
  'DELETE /_sandbox/faults/{id}',
])

const failures: string[] = []
const open = (adminToken?: string) =>
  build({
    folder: createTemporaryFolder(tmpdir()),
    mode: 'temporary',
    scenario: 'demo',
    seed: 1,
    now: null,
    secret: false,
    adminToken,
    onFault: (error) => failures.push(String(error.stack)),
  })
const ADMIN_TOKEN = 'llave'
/** What a browser says about a call without the token, and about one that is refused. */
const EXPECTED = /^Failed to load resource: the server responded with a status of 40[013]/

/** Clicks a call of each kind, or with `isAll` every call, on both pages of `/docs`. The first click must succeed. */
export async function checkDocs(browser: Browser, report: Report, isAll: boolean): Promise<void> {
  const servers = [await open(ADMIN_TOKEN), await open()].map(({ server }) => server)
  const urls = await Promise.all(servers.map((one) => one.listen({ port: 0, host: '127.0.0.1' })))
  const [sellerUrl, url] = urls as [string, string]
  try {
    const sendTo = (base: string) => (call: string, body?: unknown, headers?: Record<string, string>) => {
      const [method, path] = call.split(' ') as [string, string]
      return control(base, method, path, body, { authorization: `Bearer ${ADMIN_TOKEN}`, ...headers })
    }
    await prepareSales(sendTo(sellerUrl))
    await prepareWorld(sendTo(url))
    await fetch(`${url}/sites`)
    const chosen = (isControl: boolean) =>
      callsOf(readDocument(isControl)).filter(({ name }) => isAll || SAMPLE.has(name))
    const [sellerPage, page] = [await openPage(browser), await openPage(browser)]
    // Each page has a server and, because the origins differ, a process of its own: drawing the forms takes the time.
    await Promise.all([
      report
        .check('a link leads to a form; the page asks for the admin token, and then reads the world', () =>
          enterAdminToken(sellerPage, sellerUrl),
        )
        .then(() => clickAll(report, sellerPage, chosen(false), sellerUrl, '/docs', !isAll)),
      clickAll(report, page, chosen(true), url, '/docs?api=control'),
    ])
    for (const scenario of isAll ? ['quiet', 'empty'] : ['empty'])
      await report.check(`a world of ${scenario} has both pages`, () => openPagesOf(page, url, scenario))
    await report.check('a refused answer leads to its reason', () => findReason(sellerPage, sellerUrl))
    await report.check('the pages have no script errors, and the server no unexpected ones', () => {
      if (failures.length > 0) throw new Error(failures.join('\n'))
    })
  } finally {
    await Promise.all(servers.map((one) => one.close()))
  }
}

async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage()
  page.setDefaultTimeout(TIMEOUT_MS)
  page.on('pageerror', (error) => failures.push(`${page.url()}: ${error.stack}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) failures.push(`${page.url()}: ${message.text()}`)
  })
  return page
}

/** The values of a page's forms are those of the present world. Loading it takes as long as two forms. */
async function clickAll(
  report: Report,
  page: Page,
  calls: Call[],
  base: string,
  address: string,
  isLoaded = false,
): Promise<void> {
  for (const call of calls)
    await report.check(`${address}: ${call.name}`, async () => {
      if (!isLoaded || FRESH.has(call.name)) await page.goto(base + address)
      isLoaded = false
      const form = await openForm(page, call)
      const close = async () => {
        await form.locator('.opblock-summary-control').click()
        isLoaded = true
      }
      if (EXCEPTIONS[call.name] === 'has no form') {
        if ((await form.locator('.execute').count()) > 0) throw new Error('it has a form')
        return close()
      }
      await checkFields(form, call)
      if (EXCEPTIONS[call.name]) return
      await form.locator('.execute').click()
      const answer = form.locator('.live-responses-table .response').first()
      await answer.waitFor()
      const status = await answer.locator('.response-col_status').innerText()
      if (!/^2\d\d/.test(status)) throw new Error(`${status}\n${await form.locator('.responses-inner').innerText()}`)
      if (rankOf(call) === 0) await close()
    })
}

/** Such a world lacks most values of the forms. */
async function openPagesOf(page: Page, url: string, scenario: string): Promise<void> {
  const { url: base } = await control(url, 'POST', '/worlds', { scenario })
  for (const address of ['/docs', '/docs?api=control']) {
    await page.goto(base + address)
    await page.locator('.opblock-tag').first().waitFor()
    if (await page.locator('#notice').isVisible()) throw new Error(await page.locator('#notice').innerText())
  }
}

const ANSWERS = '.opblock-post:has([data-path="/answers"])'

async function enterAdminToken(page: Page, url: string): Promise<void> {
  const callers = page.locator('#caller option')
  await page.goto(`${url}/docs#${encodeURI('POST /answers')}`)
  await page.locator('#admin input').waitFor()
  await page.locator(ANSWERS).locator('textarea').waitFor()
  if ((await callers.count()) !== 2) throw new Error('it knows users without the token')
  await page.locator('#admin input').fill(ADMIN_TOKEN)
  await page.locator('#admin button').click()
  await callers.nth(2).waitFor({ state: 'attached' })
  if ((await callers.count()) !== 3 + 8 + 16) throw new Error('it does not list the users')
  if (await page.locator('#notice').isVisible()) throw new Error(await page.locator('#notice').innerText())
}

async function findReason(page: Page, url: string): Promise<void> {
  const form = page.locator(ANSWERS)
  // Where the page was loaded again since, the form is closed; another hash alone would not load it.
  if (!(await form.locator('textarea').isVisible())) {
    await page.goto('about:blank')
    await page.goto(`${url}/docs#${encodeURI('POST /answers')}`)
  }
  await form.locator('textarea').fill('{"question":1}')
  await form.locator('.execute').click()
  await form.getByRole('button', { name: 'Why?' }).click()
  await page.waitForURL(/_sandbox\/console\/#\/requests\/\d+\/why$/)
  await page.getByLabel('Admin').fill(ADMIN_TOKEN)
  await page.keyboard.press('Enter')
  await page.getByText('question_id').first().waitFor()
  const link = await page.getByRole('link', { name: 'API reference' }).getAttribute('href')
  if (new URL(link!, page.url()).href !== `${url}/docs`) throw new Error(`the console leads to ${link}`)
}

type Form = ReturnType<Page['locator']>

/** Opens a call. */
async function openForm(page: Page, { path, method, tag }: Call): Promise<Form> {
  const heading = page.locator(`.opblock-tag[data-tag="${tag}"]`)
  await heading.waitFor()
  if ((await heading.getAttribute('data-is-open')) !== 'true') await heading.click()
  const form = page.locator(`.opblock-${method.toLowerCase()}`, { has: page.locator(`[data-path="${path}"]`) })
  await form.locator('.opblock-summary-control').click()
  await form.locator('.responses-wrapper').first().waitFor()
  return form
}

async function checkFields(form: Form, { name }: Call): Promise<void> {
  if ((await form.locator('[data-param-name="callback"]').count()) > 0) throw new Error('it offers callback')
  if (FILLED.has(name)) return
  const optional = form.locator('tr[data-param-name]').filter({ hasNot: form.page().locator('.required') })
  for (const row of await optional.all()) {
    const field = row.locator('input, select').first()
    if ((await field.count()) > 0 && (await field.inputValue()) !== '')
      throw new Error(`${await row.getAttribute('data-param-name')} is filled in: ${await field.inputValue()}`)
  }
}

async function control(url: string, method: string, path: string, body?: unknown, headers = {}) {
  const answer = await fetch(`${url}/_sandbox${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  // biome-ignore lint/suspicious/noExplicitAny: of answers, some members are read
  return answer.json() as Promise<any>
}
