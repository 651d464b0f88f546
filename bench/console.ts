import { launchBrowser } from '../test/browser/chromium.ts'
import { measureFlood, measureMemory, measureUpdates } from './console_flood.ts'
import type { Stage } from './console_page.ts'
import { measurePaint } from './console_paint.ts'
import { createTraffic } from './console_traffic.ts'
import { measureWatchers } from './console_watchers.ts'
import { type Measurement, measurementsTable } from './measurements.ts'
import { ourServer, progress, SERVER_CORE } from './processes.ts'

// `npm run bench -- console` measures the console in Chromium beside a plain table, and a server that it watches;
// `-- console flood memory` only these parts. `--minutes 10` is for how long memory is watched.

const PARTS: Record<string, (stage: Stage, minutes: number) => Promise<Measurement[]>> = {
  paint: measurePaint,
  updates: measureUpdates,
  flood: measureFlood,
  memory: measureMemory,
  watchers: measureWatchers,
}

export async function measureConsole(args: string[]): Promise<string> {
  const { minutes, names } = parse(args)
  const server = await ourServer(undefined, { core: SERVER_CORE })
  const browser = await launchBrowser()
  const traffic = createTraffic(server)
  const base = server.world.url
  const stage: Stage = { browser, server, traffic, base, screen: (name) => `${base}/_sandbox/console/#/${name}` }
  try {
    await traffic.flow(2)
    const measured: Measurement[] = []
    for (const name of names) {
      progress(`measuring ${name}`)
      measured.push(...(await PARTS[name]!(stage, minutes)))
    }
    return `Medians, and the middle half in brackets; shares of one core, by CPU time\n\n${measurementsTable(measured)}`
  } finally {
    await browser.close()
    await server.stop()
  }
}

function parse(args: string[]): { minutes: number; names: string[] } {
  const option = args.indexOf('--minutes')
  const minutes = option < 0 ? 1 : Number(args[option + 1])
  if (!(minutes > 0)) throw new Error('--minutes needs a number')
  const names = option < 0 ? args : args.toSpliced(option, 2)
  const unknown = names.find((name) => !Object.hasOwn(PARTS, name))
  if (unknown !== undefined) throw new Error(`no part ${unknown}; there are ${Object.keys(PARTS).join(', ')}`)
  return { minutes, names: names.length > 0 ? names : Object.keys(PARTS) }
}
