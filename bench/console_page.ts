import type { Browser, CDPSession } from 'playwright-core'
import type { Traffic } from './console_traffic.ts'
import type { ReadyServer } from './processes.ts'

// Pages in Chromium, and what they cost. CPU times, because other processes may use the same cores.

/** What all parts are measured with. */
export interface Stage {
  browser: Browser
  server: ReadyServer
  traffic: Traffic
  /** Address of the server. */
  base: string
  /** Address of a screen of the console. */
  screen(name: string): string
}

/** The rows of a list of the console, and of the plain table. */
export const ROW = '[role=rowgroup] [role=row], tbody tr'

export interface OpenPage {
  /** Ms from the request of the page until something was painted, and until its first row was. */
  painted: { first: number; rows: number }
  usage(): Promise<Usage>
  /** After a collection of garbage. */
  memory(): Promise<Memory>
  /** A page in a tab behind another closes its stream. */
  setHidden(isHidden: boolean): Promise<void>
  close(): Promise<void>
}

/** CPU ms of a page. */
export interface Usage {
  /** Its scripts, styles, layout and painting. */
  main: number
  /** The renderer process: also raster, compositing and the collection of garbage. */
  renderer: number
}

export interface Memory {
  /** Bytes of JavaScript. */
  heap: number
  nodes: number
}

/** Runs in the page before its scripts. */
const WATCH_ROWS = `const look = () => {
  requestAnimationFrame(document.querySelector('${ROW}') ? () => { globalThis.rowsPaintedAt = performance.now() } : look)
}
look()`

const PAINT_TIMES = `new Promise((resolve) => {
  const look = () => {
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    if (paint && globalThis.rowsPaintedAt) resolve([paint.startTime, globalThis.rowsPaintedAt])
    else requestAnimationFrame(look)
  }
  look()
})`

/** Opens a page in a context of its own, so that nothing of it is cached, and waits for its first row. */
export async function openPage(browser: Browser, address: string, html?: string): Promise<OpenPage> {
  const context = await browser.newContext({ locale: 'es-AR', viewport: { width: 1400, height: 900 } })
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Performance.enable')
  await page.addInitScript(WATCH_ROWS)
  // A page of the server's origin can read its stream.
  if (html !== undefined) await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: html }))
  await page.goto(address)
  await page.locator(ROW).first().waitFor()
  const [first, rows] = await page.evaluate<[number, number]>(PAINT_TIMES)
  return {
    painted: { first, rows },
    async usage() {
      const { ThreadTime, ProcessTime } = await metricsOf(cdp)
      return { main: 1000 * ThreadTime!, renderer: 1000 * ProcessTime! }
    },
    async memory() {
      await cdp.send('HeapProfiler.collectGarbage')
      const { JSHeapUsedSize, Nodes } = await metricsOf(cdp)
      return { heap: JSHeapUsedSize!, nodes: Nodes! }
    },
    setHidden: (isHidden) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))`),
    close: () => context.close(),
  }
}

async function metricsOf(cdp: CDPSession): Promise<Record<string, number>> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]))
}

/** Returns the CPU ms of all processes of a browser: those of pages, and those that load and draw. */
export async function browserUsage(browser: Browser): Promise<() => Promise<number>> {
  const cdp = await browser.newBrowserCDPSession()
  return async () => {
    const { processInfo } = await cdp.send('SystemInfo.getProcessInfo')
    return processInfo.reduce((sum, { cpuTime }) => sum + 1000 * cpuTime, 0)
  }
}
