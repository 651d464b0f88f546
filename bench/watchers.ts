import { once } from 'node:events'
import { get as open } from 'node:http'
import { buildAll } from '../tools/build.ts'
import { EVENT_KINDS } from '../web/world/events.ts'
import { ourServer, progress, type ReadyServer, SERVER_CORE } from './processes.ts'
import { get, sendRequest } from './requests.ts'
import { median, spread, table, two } from './tables.ts'
import { CONNECTIONS, Load, turn } from './turns.ts'

// `npm run bench -- watchers`: what open consoles cost the server. A console is its event stream here; what it reads
// again because of an event is at most one request in 25 ms.

const CONSOLES = 3
const ROUNDS = 8
const TURN_SECONDS = 1.5
const MIN_RATIO = 0.9

export async function measureWatchers(): Promise<string> {
  await buildAll()
  const server = await ourServer(undefined, { core: SERVER_CORE })
  const load = new Load()
  try {
    const requests = await questions(server)
    const rate = async () => 1 / (await turn(load, server, { requests, maxSeconds: TURN_SECONDS })).cpu
    const watchedRate = async () => {
      process.kill(server.pid, 'SIGCONT')
      const close = await watch(server)
      try {
        return await rate()
      } finally {
        close()
      }
    }
    await rate()
    const ratios: number[] = []
    for (let n = 0; n < ROUNDS; n++) {
      progress(`round ${n + 1} of ${ROUNDS}`)
      if (n % 2 === 0) ratios.push((await watchedRate()) / (await rate()))
      else ratios.push(1 / ((await rate()) / (await watchedRate())))
    }
    return table(
      ['questions per CPU second of the server', 'ratio', 'goal', ''],
      [
        [
          `${CONSOLES} consoles / none, ${CONNECTIONS} connections`,
          spread(ratios, two),
          two(MIN_RATIO),
          median(ratios) >= MIN_RATIO ? 'met' : 'MISSED',
        ],
      ],
    )
  } finally {
    load.stop()
    await server.stop()
  }
}

/** Opens the streams. Returns what closes them. */
async function watch({ port }: ReadyServer): Promise<() => void> {
  const path = `/_sandbox/events?kinds=${EVENT_KINDS}`
  const streams = await Promise.all(
    Array.from({ length: CONSOLES }, async () => {
      const request = open({ host: '127.0.0.1', port, path, agent: false })
      const [response] = await once(request, 'response')
      if (response.statusCode !== 200) throw new Error(`${path} answers ${response.statusCode}`)
      response.resume().on('error', () => {})
      return request
    }),
  )
  return () => {
    for (const stream of streams) stream.destroy()
  }
}

/** Requests for the latest questions of a seller. */
async function questions(server: ReadyServer): Promise<string[]> {
  const { id, token } = server.world.sellers[0]!
  const { body } = await sendRequest(server, get(`/questions/search?seller_id=${id}&limit=50`, token))
  const found = (JSON.parse(body) as { questions: { id: number }[] }).questions
  return found.map(({ id }) => get(`/questions/${id}`, token))
}
