import { type OpenPage, openPage, type Stage } from './console_page.ts'
import { type Measurement, withoutGoal } from './measurements.ts'
import { cpuSeconds, Load, ourServer, progress, type ReadyServer, SERVER_CORE } from './processes.ts'
import { get, sendRequest } from './requests.ts'
import { median, two } from './tables.ts'

// What watching costs the server: as many questions as it can answer, with and without consoles, in turns.

const SCREENS = ['live', 'requests', 'questions']
const ROUNDS = 12
const ROUND_SECONDS = 2
const CONNECTIONS = 64
const MIN_RATIO = 0.9

interface Rate {
  perCpu: number
  perSecond: number
}

/** Three consoles watch in some turns; another server is never watched. */
export async function measureWatchers({ browser, server: watched, screen }: Stage): Promise<Measurement[]> {
  const unwatched = await ourServer(undefined, { core: SERVER_CORE })
  const load = new Load()
  const play = await playerOf(load, [watched, unwatched])
  const pages = await Promise.all(SCREENS.map((name) => openPage(browser, screen(name))))
  const rounds: Record<Turn, Rate>[] = []
  try {
    for (let n = 0; n < ROUNDS; n++) {
      const round: Partial<Record<Turn, Rate>> = {}
      for (const turn of n % 2 === 0 ? TURNS : TURNS.toReversed()) {
        await setWatching(pages, turn === 'three')
        round[turn] = await play(turn === 'never' ? unwatched : watched)
      }
      rounds.push(round as Record<Turn, Rate>)
      progress(`with three consoles / with none: ${two(round.three!.perCpu / round.none!.perCpu)}`)
    }
  } finally {
    load.stop()
    await unwatched.stop()
    for (const page of pages) await page.close()
  }
  const ratios = (of: keyof Rate, a: Turn, b: Turn) => rounds.map((round) => round[a][of] / round[b][of])
  const watching = ratios('perCpu', 'three', 'none')
  return [
    {
      ...withoutGoal('questions per CPU second of the server, three consoles / none', watching, two),
      goal: `≥ ${MIN_RATIO}`,
      isMet: median(watching) >= MIN_RATIO,
    },
    withoutGoal('the same by the clock, which the browser shares', ratios('perSecond', 'three', 'none'), two),
    withoutGoal('questions per CPU second, consoles gone / never watched', ratios('perCpu', 'none', 'never'), two),
  ]
}

const TURNS = ['three', 'none', 'never'] as const
type Turn = (typeof TURNS)[number]

/** The stream is open or closed at once; what a page reads when it returns is over after this. */
const SETTLE_MS = 700

async function setWatching(pages: OpenPage[], isWatching: boolean): Promise<void> {
  await Promise.all(pages.map((page) => page.setHidden(!isWatching)))
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
}

/** Returns what measures a server for a moment. */
async function playerOf(load: Load, servers: ReadyServer[]): Promise<(server: ReadyServer) => Promise<Rate>> {
  const requests = new Map(await Promise.all(servers.map(async (server) => [server, await questions(server)] as const)))
  const play = async (server: ReadyServer): Promise<Rate> => {
    const before = cpuSeconds(server.pid)
    const { count, seconds } = await load.play({
      port: server.port,
      connections: CONNECTIONS,
      requests: requests.get(server)!,
      count: Number.MAX_SAFE_INTEGER,
      maxSeconds: ROUND_SECONDS,
    })
    return { perCpu: count / (cpuSeconds(server.pid) - before), perSecond: count / seconds }
  }
  for (const server of servers) for (let n = 0; n < 3; n++) await play(server)
  return play
}

/** Requests for the latest questions of a seller. */
async function questions(server: ReadyServer): Promise<string[]> {
  const seller = server.world.sellers[0]!
  const { body } = await sendRequest(server, get(`/questions/search?seller_id=${seller.id}&limit=50`, seller.token))
  const found = (JSON.parse(body) as { questions: { id: number }[] }).questions
  return found.map(({ id }) => get(`/questions/${id}`, seller.token))
}
