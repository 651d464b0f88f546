import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page, Request } from 'playwright-core'
import { build, type Options } from '../../app.ts'
import { createTemporaryFolder, openDataFolder } from '../../db/folders.ts'
import { control } from '../../lib/control.ts'
import type { Control, Schemas } from '../../lib/types.ts'
import type { Report } from '../../tools/docs/report.ts'
import { slowDown } from './slow.ts'

/** What a journey has: a server of its own, with the console open in a browser. */
export interface Stage {
  page: Page
  /** Base address of the server. */
  url: string
  control: Control
  info: Schemas['ReadyWorld']
  /** Opens an address of the console, such as `#/requests`, and waits until it has loaded. */
  open(hash: string): Promise<void>
  /** The same, in another tab. */
  openTab(hash: string): Promise<Page>
  /** A browser of its own, for a person with other settings. */
  openBrowser(options: BrowserContextOptions): Promise<Page>
  /** A call of the emulated API by the first seller. */
  api(call: string, body?: unknown): Promise<Response>
  /**
   * Stops the server, and starts it again on the same port. Its worlds are new, unless its mode is `kept`: then `pause`
   * gets the folder where they are.
   */
  restart(pause?: (data: string) => Promise<void>): Promise<void>
  /** Starts another server, which stops with the journey. Returns its base address. */
  start(options: Partial<Options>): Promise<string>
}

export interface Journey {
  title: string
  run(stage: Stage): Promise<void>
  server?: Partial<Options>
  context?: BrowserContextOptions
  /** Default: any free port. */
  port?: number
}

/** The frozen time of journeys. */
export const NOW = Date.UTC(2026, 2, 2, 12)
const TIMEOUT_MS = 15_000
const MAX_SCROLLS = 20
/** Of the list of questions, in px. */
const ROW_HEIGHT = 56

/** Runs the journeys of a file. Errors in the page, reports of its policy and faults of the server fail a journey. */
export async function runJourneys(
  browser: Browser,
  report: Report,
  { journeys }: { journeys: Journey[] },
  isSlow = false,
) {
  for (const journey of journeys) await report.check(journey.title, () => runJourney(browser, journey, isSlow))
}

async function runJourney(browser: Browser, journey: Journey, isSlow = false): Promise<void> {
  const { run, server: options = {}, context, port } = journey
  const failures: string[] = []
  const servers = createServers(failures)
  const contexts: BrowserContext[] = []
  const openBrowser = async (more?: BrowserContextOptions) => {
    const opened = await browser.newContext({ locale: 'es-AR', reducedMotion: 'reduce', ...context, ...more })
    contexts.push(opened)
    opened.setDefaultTimeout(TIMEOUT_MS)
    followCalls(opened)
    if (isSlow) await slowDown(opened)
    await collectFailures(opened, failures)
    return opened.newPage()
  }
  try {
    const { url, restart } = await servers.start(options, port)
    const page = await openBrowser()
    const client = control(url, { adminToken: options.adminToken })
    const info = await client.call('GET /worlds/{id}', { path: { id: 1 } })
    const openIn = async (tab: Page, hash: string) => {
      const address = `${url}/_sandbox/console/${hash}`
      if (tab.url() === address) await tab.reload()
      // An open console goes there by itself.
      else await tab.goto(address)
      await waitUntilLoaded(tab)
      return tab
    }
    await run({
      ...{ page, url, control: client, info, restart, openBrowser },
      open: async (hash) => void (await openIn(page, hash)),
      openTab: async (hash) => openIn(await page.context().newPage(), hash),
      api: apiOf(url, info),
      start: async (more) => (await servers.start(more)).url,
    })
  } finally {
    await Promise.allSettled(contexts.map((opened) => opened.close()))
    await servers.close()
  }
  if (failures.length > 0) throw new Error(failures.join('\n'))
}

/** The servers of a journey. */
function createServers(failures: string[]) {
  const closing: (() => Promise<unknown>)[] = []

  async function start(options: Partial<Options>, firstPort = 0) {
    const data = options.mode === 'kept' ? mkdtempSync(join(tmpdir(), 'mercadito-journey-')) : undefined
    const listen = async (port: number) => {
      const { server } = await build({
        folder: data === undefined ? createTemporaryFolder(tmpdir()) : openDataFolder(data),
        ...{ mode: 'temporary', scenario: 'demo', seed: 1, now: NOW, secret: false },
        onFault: (error) => failures.push(String(error.stack)),
        ...options,
      })
      return { server, url: await server.listen({ port, host: '127.0.0.1' }) }
    }
    let { server, url } = await listen(firstPort)
    closing.push(async () => {
      await server.close()
      if (data !== undefined) rmSync(data, { recursive: true })
    })
    const restart: Stage['restart'] = async (pause) => {
      await server.close()
      await pause?.(data ?? '')
      server = (await listen(Number(new URL(url).port))).server
    }
    return { url, restart }
  }

  return {
    start,
    async close() {
      for (const close of closing) await close()
    },
  }
}

/** A server that stops answers nothing for a while: browsers report that too, but it is no error of the page. */
const EXPECTED = /^Failed to load resource: (net::|the server responded with a status of (40[0-9]|50[0-9]))/

async function collectFailures(context: BrowserContext, failures: string[]): Promise<void> {
  context.on('weberror', (one) => failures.push(`${one.page()?.url()}: ${one.error().stack}`))
  context.on('console', (message) => {
    if (message.type() !== 'error' || EXPECTED.test(message.text())) return
    failures.push(`${message.page()?.url()}: ${message.text()}`)
  })
  await context.exposeFunction('reportViolation', (text: string) => failures.push(`policy: ${text}`))
  await context.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    reportViolation([violatedDirective, blockedURI, sample].join(' ')))`)
}

/** Calls of each page that were not answered yet; streams never are. */
const calls = new WeakMap<Page, Set<Request>>()

function followCalls(context: BrowserContext): void {
  context.on('page', (page) => {
    const pending = new Set<Request>()
    calls.set(page, pending)
    page.on('request', (call) => call.url().includes('/_sandbox/events') || pending.add(call))
    for (const end of ['requestfinished', 'requestfailed'] as const)
      page.on(end as 'requestfailed', (call) => pending.delete(call))
  })
}

/** Until the page has rendered all that it has asked for. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator('main').waitFor()
  const frames = () => page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  do {
    await frames()
    while (calls.get(page)!.size > 0) await page.waitForEvent('requestfinished').catch(() => {})
    await frames()
  } while (calls.get(page)!.size > 0)
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}

/** A browser without a window shows all tabs; this hides one as another tab in front of it would. */
export const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`)

/** Scrolls the list of questions to its nth row, again after each page that this loads. */
export async function scrollToRow(page: Page, n: number, row: Locator): Promise<void> {
  for (let tries = 0; tries < MAX_SCROLLS && !(await row.isVisible()); tries++) {
    await page.locator('.table').evaluate((element, top) => element.scrollTo({ top }), n * ROW_HEIGHT)
    await waitUntilLoaded(page)
  }
  await row.waitFor()
}

const apiOf =
  (url: string, { sellers: [seller] }: Schemas['ReadyWorld']) =>
  (call: string, body?: unknown) => {
    const [method, path] = call.split(' ') as [string, string]
    const headers = { authorization: `Bearer ${seller!.token}`, 'content-type': 'application/json' }
    return fetch(url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  }
