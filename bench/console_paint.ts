import { once } from 'node:events'
import { createServer } from 'node:http'
import { control } from '../lib/control.ts'
import { openPage, type Stage } from './console_page.ts'
import { plainTable } from './console_plain.ts'
import { atMost, type Measurement, withoutGoal } from './measurements.ts'
import { two, whole } from './tables.ts'

const ROUNDS = 15
const MAX_FIRST_PAINT_MS = 300

interface Painted {
  /** Ms until something was painted, and until the first row was. */
  first: number
  rows: number
  /** CPU ms of the main thread until then. */
  main: number
}

/** The list of requests in a browser that has never opened it, in turns with a page of the same rows. */
export async function measurePaint({ browser, base, screen }: Stage): Promise<Measurement[]> {
  const { results } = await control(base).call('GET /requests', { query: { bodies: 'false', limit: 50 } })
  const html = plainTable(results)
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  const paint = async (address: string): Promise<Painted> => {
    const opened = await openPage(browser, address)
    const { main } = await opened.usage()
    await opened.close()
    return { ...opened.painted, main }
  }
  const pages = { console: screen('requests'), plain: `http://127.0.0.1:${port}/` }
  const painted = { console: [] as Painted[], plain: [] as Painted[] }
  for (let n = 0; n < ROUNDS; n++)
    for (const name of n % 2 === 0 ? (['console', 'plain'] as const) : (['plain', 'console'] as const))
      painted[name].push(await paint(pages[name]))
  server.close()
  const of = (what: keyof Painted) => painted.console.map((one) => one[what])
  const ratios = (what: keyof Painted) => of(what).map((ms, n) => ms / painted.plain[n]![what])
  const milliseconds = (ms: number) => `${whole(ms)} ms`
  return [
    atMost(MAX_FIRST_PAINT_MS, 'first paint', of('first'), milliseconds),
    withoutGoal('first paint / plain table', ratios('first'), two),
    withoutGoal('rows painted', of('rows'), milliseconds),
    withoutGoal('rows painted / plain table', ratios('rows'), two),
    withoutGoal('CPU of the main thread until then', of('main'), milliseconds),
    withoutGoal('CPU / plain table', ratios('main'), two),
  ]
}
