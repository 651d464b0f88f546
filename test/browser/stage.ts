import { tmpdir } from 'node:os'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { build, type Options } from '../../app.ts'
import { createTemporaryFolder } from '../../db/folders.ts'
import { control } from '../../lib/control.ts'
import type { Control, Schemas } from '../../lib/types.ts'
import type { Report } from '../../tools/docs/report.ts'

/** What a journey has: a server of its own, with the console open in a browser. */
export interface Stage {
  page: Page
  /** Base address of the server. */
  url: string
  control: Control
  info: Schemas['ReadyWorld']
  /** Opens an address of the console, such as `#/requests`, and waits until it has loaded. */
  open(hash: string): Promise<void>
  /** A call of the emulated API by the first seller. */
  api(call: string, body?: unknown): Promise<Response>
  /** Stops the server, and starts it again on the same port. Its worlds are new. */
  restart(pause?: () => Promise<void>): Promise<void>
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

/** Runs the journeys of a file. Errors in the page, reports of its policy and faults of the server fail a journey. */
export async function runJourneys(browser: Browser, report: Report, { journeys }: { journeys: Journey[] }) {
  for (const journey of journeys) await report.check(journey.title, () => runJourney(browser, journey))
}

async function runJourney(browser: Browser, journey: Journey): Promise<void> {
  const { run, server: options, context: contextOptions, port: firstPort = 0 } = journey
  const failures: string[] = []
  const start = async (port: number) => {
    const { server } = await build({
      folder: createTemporaryFolder(tmpdir()),
      mode: 'temporary',
      scenario: 'demo',
      seed: 1,
      now: NOW,
      secret: false,
      onFault: (error) => failures.push(String(error.stack)),
      ...options,
    })
    return { server, url: await server.listen({ port, host: '127.0.0.1' }) }
  }
  let { server, url } = await start(firstPort)
  const context = await browser.newContext({ locale: 'es-AR', reducedMotion: 'reduce', ...contextOptions })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(TIMEOUT_MS)
    await collectFailures(page, failures)
    const client = control(url, { adminToken: options?.adminToken })
    const info = await client.call('GET /worlds/{id}', { path: { id: 1 } })
    const restart = async (pause = async () => {}) => {
      await server.close()
      await pause()
      server = (await start(Number(new URL(url).port))).server
    }
    await run({ page, url, control: client, info, open: openOn(page, url), api: apiOf(url, info), restart })
  } finally {
    await context.close()
    await server.close()
  }
  if (failures.length > 0) throw new Error(failures.join('\n'))
}

/** A server that stops answers nothing for a while: browsers report that too, but it is no error of the page. */
const EXPECTED = /^Failed to load resource: (net::|the server responded with a status of (40[0-9]|50[0-9]))/

async function collectFailures(page: Page, failures: string[]): Promise<void> {
  page.on('pageerror', (error) => failures.push(`${page.url()}: ${error.stack}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) failures.push(`${page.url()}: ${message.text()}`)
  })
  await page.exposeFunction('reportViolation', (text: string) => failures.push(`policy: ${text}`))
  await page.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    reportViolation([violatedDirective, blockedURI, sample].join(' ')))`)
}

const openOn = (page: Page, url: string) => async (hash: string) => {
  // Another hash alone would not load the page again.
  await page.goto('about:blank')
  await page.goto(`${url}/_sandbox/console/${hash}`)
  await waitUntilLoaded(page)
}

/** Until no part of the page is loading. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator('main').waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}

const apiOf =
  (url: string, { sellers: [seller] }: Schemas['ReadyWorld']) =>
  (call: string, body?: unknown) => {
    const [method, path] = call.split(' ') as [string, string]
    const headers = { authorization: `Bearer ${seller!.token}`, 'content-type': 'application/json' }
    return fetch(url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  }
