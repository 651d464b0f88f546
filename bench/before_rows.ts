import type { ReadyServer } from './processes.ts'
import { get, post, sendRequest } from './requests.ts'
import { type Load, resume, turn } from './turns.ts'

// The calls that are compared with an earlier revision: only of the API itself, which every revision has.

export interface Row {
  name: string
  /** How the status begins; default: 20. */
  status?: string
  /** Requests of a turn, which are repeated if they are fewer than `count`. */
  requests(server: ReadyServer, count: number, load: Load): Promise<string[]>
}

const seconds = { maxSeconds: 30 }
const FIRST_LISTING = 1_400_000_001
const LISTINGS = 60
const DISTINCT = 256

const received = ({ world: { sellers } }: ReadyServer, more = '') =>
  get(`/questions/search?seller_id=${sellers[0]!.id}&limit=50${more}`, sellers[0]!.token)
const series = ({ world: { sellers } }: ReadyServer, n: number, more = '') => {
  const { id, token } = sellers[n % sellers.length]!
  return get(`/users/${id}/contacts/phone_views/time_window?last=30&unit=day${more}`, token)
}

let serial = 0
/** Requests that differ in an unused parameter, so that no answer comes from a cache. */
const different = (count: number, request: (n: number, more: string) => string) =>
  Array.from({ length: count }, (_, n) => request(n, `&n=${++serial}`))

export const ROWS: Row[] = [
  {
    name: 'question',
    async requests(server) {
      const { body } = await answerOf(server, received(server))
      const { questions } = JSON.parse(body) as { questions: { id: number }[] }
      return questions.map(({ id }) => get(`/questions/${id}`, server.world.sellers[0]!.token))
    },
  },
  { name: 'page of 50', requests: async (server) => [received(server)] },
  {
    name: 'page of 50, not cached',
    requests: async (server, count) => different(count, (_, more) => received(server, more)),
  },
  {
    name: 'series of 30 days',
    requests: async (server) => server.world.sellers.map((_, n) => series(server, n)),
  },
  {
    name: 'series of 30 days, not cached',
    requests: async (server, count) => different(count, (n, more) => series(server, n, more)),
  },
  { name: 'users/me', requests: async ({ world: { sellers } }) => sellers.map(({ token }) => get('/users/me', token)) },
  {
    name: '404, no such question',
    status: '404',
    requests: async ({ world: { sellers } }) => [get('/questions/1', sellers[0]!.token)],
  },
  {
    name: '404, no such path',
    status: '404',
    requests: async ({ world: { sellers } }) => [get('/nothing', sellers[0]!.token)],
  },
  { name: 'ask', requests: asks },
  {
    name: 'answer',
    async requests(server, count, load) {
      const texts = await asks(server)
      const { id } = JSON.parse((await answerOf(server, texts[0]!)).body) as { id: number }
      await turn(load, server, { requests: texts, count, ...seconds })
      // Ids of a world are consecutive, and no other client asks.
      const { token } = server.world.sellers[1]!
      return Array.from({ length: count }, (_, n) =>
        post('/answers', token, { question_id: id + 1 + n, text: 'Olá! Sim, temos em estoque.' }),
      )
    },
  },
]

/** Of the second seller, so that the pages of the first stay as they are. */
async function asks(server: ReadyServer): Promise<string[]> {
  const { sellers, buyers } = server.world
  const { id: seller, site_id, token } = sellers[1]!
  const askers = buyers.filter((buyer) => buyer.site_id === site_id)
  for (let n = 0; n < LISTINGS; n++) {
    const item_id = `${site_id}${FIRST_LISTING + n}`
    const { status, body } = await answerOf(server, get(`/items/${item_id}`, token))
    const item = JSON.parse(body) as { seller_id: number; status: string }
    if (status === 200 && item.seller_id === seller && item.status === 'active')
      return Array.from({ length: DISTINCT }, (_, n) =>
        post('/questions', askers[n % askers.length]!.token, {
          item_id,
          text: `Olá, vocês têm estoque para hoje? (${n})`,
        }),
      )
  }
  throw new Error('the second seller has no active listing')
}

function answerOf(server: ReadyServer, request: string) {
  resume(server)
  return sendRequest(server, request)
}
