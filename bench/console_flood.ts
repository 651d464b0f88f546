import { MAX_ROWS } from '../web/parts/window.ts'
import { browserUsage, type Memory, type OpenPage, openPage, type Stage } from './console_page.ts'
import { plainStream } from './console_plain.ts'
import { PER_SECOND } from './console_traffic.ts'
import { atMost, type Measurement, withoutGoal } from './measurements.ts'
import { progress } from './processes.ts'
import { median, percent, two, whole } from './tables.ts'

// Pages that follow calls.

const BATCHES = 20
const BATCH_SIZE = 5
/** Ms after which a page has shown a batch. */
const SETTLE_MS = 1500

const ROUNDS = 4
const ROUND_SECONDS = 8
/** Until the console has the 2,000 entries that it keeps. */
const FILL_SECONDS = 11
const MAX_SHARE = 0.3

const SAMPLES = 30
const MAX_GROWTH = 0.05

const NAMES = ['live', 'requests', 'plain table'] as const
type Name = (typeof NAMES)[number]

const open = ({ browser, base, screen }: Stage, name: Name): Promise<OpenPage> =>
  name === 'plain table' ? openPage(browser, `${base}/plain`, plainStream(MAX_ROWS)) : openPage(browser, screen(name))

/** All pages receive the same calls. What they do without calls is subtracted. */
export async function measureUpdates(stage: Stage): Promise<Measurement[]> {
  const pages = await Promise.all(NAMES.map((name) => open(stage, name)))
  await stage.traffic.flow(FILL_SECONDS)
  const mainOf = () => Promise.all(pages.map(async (page) => (await page.usage()).main))
  const during = async (calls: number) => {
    const before = await mainOf()
    await stage.traffic.burst(calls)
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    return (await mainOf()).map((ms, n) => ms - before[n]!)
  }
  const batches: number[][] = []
  for (let n = 0; n < BATCHES; n++) {
    const idle = await during(0)
    batches.push((await during(BATCH_SIZE)).map((ms, n) => ms - idle[n]!))
  }
  await Promise.all(pages.map((page) => page.close()))
  const milliseconds = (ms: number) => `${ms.toFixed(1)} ms`
  const what = `CPU of ${BATCH_SIZE} new entries`
  return NAMES.map((name, n) =>
    withoutGoal(
      `${what}, ${name}`,
      batches.map((ms) => ms[n]!),
      milliseconds,
    ),
  )
}

/** Shares of a core. */
interface Shares {
  main: number[]
  renderer: number[]
  browser: number[]
}

/** One page after the other, in turns. */
export async function measureFlood(stage: Stage): Promise<Measurement[]> {
  const { browser, traffic } = stage
  const usageOfBrowser = await browserUsage(browser)
  const shares = new Map(NAMES.map((name): [Name, Shares] => [name, { main: [], renderer: [], browser: [] }]))
  const rates: number[] = []
  for (let n = 0; n < ROUNDS; n++)
    for (const [name, share] of n % 2 === 0 ? shares : [...shares].reverse()) {
      const page = await open(stage, name)
      await traffic.flow(FILL_SECONDS)
      const take = async () => ({ ...(await page.usage()), browser: await usageOfBrowser(), at: performance.now() })
      const before = await take()
      rates.push(await traffic.flow(ROUND_SECONDS))
      const after = await take()
      for (const part of ['main', 'renderer', 'browser'] as const)
        share[part].push((after[part] - before[part]) / (after.at - before.at))
      progress(`${name}: ${percent(share.browser.at(-1)!)}`)
      await page.close()
    }
  return [
    withoutGoal('entries per second', rates, whole),
    ...[...shares].flatMap(([name, { main, renderer, browser }]) => [
      name === 'plain table'
        ? withoutGoal(`${name}, all processes`, browser, percent)
        : atMost(MAX_SHARE, `${name}, all processes of the browser`, browser, percent),
      withoutGoal(`${name}, process of the page`, renderer, percent),
      withoutGoal(`${name}, main thread`, main, percent),
    ]),
  ]
}

/** Live under a flood that lasts. */
export async function measureMemory(stage: Stage, minutes: number): Promise<Measurement[]> {
  const page = await open(stage, 'live')
  await stage.traffic.flow(FILL_SECONDS)
  const samples: Memory[] = [await page.memory()]
  const before = { ...(await page.usage()), at: performance.now() }
  for (let n = 0; n < SAMPLES; n++) {
    await stage.traffic.flow((minutes * 60) / SAMPLES)
    samples.push(await page.memory())
  }
  const after = { ...(await page.usage()), at: performance.now() }
  await page.close()
  const growth = (of: (sample: Memory) => number) => {
    const values = samples.map(of)
    const third = Math.ceil(values.length / 3)
    return median(values.slice(-third)) / median(values.slice(0, third)) - 1
  }
  const flat = (name: string, of: (sample: Memory) => number, format: (value: number) => string): Measurement => ({
    name: `${name}, ${minutes} min: first, last, growth from the first third to the last`,
    value: `${format(of(samples[0]!))}, ${format(of(samples.at(-1)!))}, ${(100 * growth(of)).toFixed(1)} %`,
    goal: `≤ ${percent(MAX_GROWTH)}`,
    isMet: growth(of) <= MAX_GROWTH,
  })
  const share = (after.renderer - before.renderer) / (after.at - before.at)
  return [
    flat(
      'JavaScript heap',
      ({ heap }) => heap,
      (bytes) => `${two(bytes / 1024 / 1024)} MiB`,
    ),
    flat('DOM nodes', ({ nodes }) => nodes, whole),
    withoutGoal(`process of the page in ${minutes} min at ${PER_SECOND} entries/s`, [share], percent),
  ]
}
