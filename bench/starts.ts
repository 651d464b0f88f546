import { once } from 'node:events'
import { comparableAnswer } from './comparison.ts'
import { flagsOf, launch, ourServer, type ReadyServer, residentMegabytes, serve } from './processes.ts'
import { get } from './requests.ts'
import { median, table, two, whole } from './tables.ts'

export const STARTS = 9
/** V8 returns the memory of a start after eight seconds without work. */
const IDLE_MS = 12_000
/** From the first answer to the measurement of memory. */
const SETTLE_MS = 2000

interface Start {
  name: string
  goal?: [ms: number, megabytes: number]
  ms: number[]
  megabytes: number[]
  idleMegabytes?: number
}

interface Kind {
  name: string
  goal?: [ms: number, megabytes: number]
  start(): Promise<ReadyServer>
}

const kindsOf = (data: string, executable: string): Kind[] => {
  const run = (args: string[]) => serve(args, { program: executable })
  return [
    { name: 'bundle, new demo world', goal: [450, 110], start: () => ourServer(undefined) },
    { name: 'bundle, kept demo world', goal: [450, 110], start: () => ourServer(data) },
    { name: 'executable, new demo world', goal: [350, 100], start: () => run(flagsOf(undefined)) },
    { name: 'executable, new empty world', start: () => run(['--scenario', 'empty', ...flagsOf(undefined)]) },
    { name: 'executable, kept demo world', goal: [350, 100], start: () => run(flagsOf(data)) },
  ]
}

/** From spawn to the first 200 of a call with a token, and the memory after it. The kinds take turns. */
export async function measureStarts(data: string, executable: string): Promise<Start[]> {
  const kinds = kindsOf(data, executable)
  const starts = kinds.map(({ name, goal }): Start => ({ name, ...(goal && { goal }), ms: [], megabytes: [] }))
  const baseline: Start = { name: 'node -e 0', ms: [], megabytes: [] }
  // Parts of a start: `config` runs Node and the program, `--version` also loads the library of the database.
  const parts = ['config', '--version'].map((word) => ({
    word,
    start: { name: `executable, ${word}`, ms: [], megabytes: [] } as Start,
  }))
  for (let n = 0; n < STARTS; n++) {
    baseline.ms.push(await timeOf(['-e', '0']))
    for (const { word, start } of parts) start.ms.push(await timeOf([word], executable))
    for (const [k, kind] of kinds.entries()) await measureStart(kind, starts[k]!, n)
  }
  return [baseline, ...parts.map(({ start }) => start), ...starts]
}

async function timeOf(args: string[], program?: string): Promise<number> {
  const start = performance.now()
  await once(launch(args, program ? { program } : {}), 'exit')
  return performance.now() - start
}

async function measureStart(kind: Kind, start: Start, n: number): Promise<void> {
  const begin = performance.now()
  const server = await kind.start()
  const answer = await comparableAnswer(server, get('/users/me', server.world.sellers[0]!.token))
  if (!answer.startsWith('200 ')) throw new Error(`the first answer is ${answer}`)
  start.ms.push(performance.now() - begin)
  if (n % 3 === 0) {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    start.megabytes.push(residentMegabytes(server.pid))
  }
  if (n === 0) {
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
    start.idleMegabytes = residentMegabytes(server.pid)
  }
  await server.stop()
}

export function startTable(starts: Start[]): string {
  const baseline = starts[0]!
  const verdict = (value: number, goal: number, unit: string) => `${goal} ${unit} ${value <= goal ? 'met' : 'missed'}`
  return table(
    ['start', 'least ms', 'median ms', 'to node -e 0', 'RSS, MB', 'idle', 'goals'],
    starts.map(({ name, goal, ms, megabytes, idleMegabytes = 0 }) => [
      name,
      whole(Math.min(...ms)),
      whole(median(ms)),
      two(median(ms.map((one, n) => one / baseline.ms[n]!))),
      megabytes.length > 0 ? whole(median(megabytes)) : '',
      idleMegabytes ? whole(idleMegabytes) : '',
      goal ? [verdict(median(ms), goal[0], 'ms'), verdict(idleMegabytes, goal[1], 'MB idle')].join(', ') : '',
    ]),
  )
}
