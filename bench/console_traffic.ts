import type { WorldInfo } from '../control/worlds/world_info.ts'
import { type Connection, openConnection } from './connection.ts'
import { get, post } from './requests.ts'

// The calls of a seller's program: journal entries that the console shows.

const CONNECTIONS = 8
/** Entries of the journal. */
export const PER_SECOND = 200
/** Ms between two looks at how many calls are due. */
const TICK_MS = 5

export interface Traffic {
  /** Makes PER_SECOND calls a second. Returns how many were answered in each. */
  flow(seconds: number): Promise<number>
  /** Makes calls at once, at most one on each connection. */
  burst(count: number): Promise<void>
}

export function createTraffic({ world, port }: { world: WorldInfo; port: number }): Traffic {
  const requests = requestsOf(world)
  let sent = 0

  /** Connections of its own for each use: the server closes idle ones. */
  async function withConnections<T>(use: (idle: Connection[]) => Promise<T>): Promise<T> {
    const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(port)))
    try {
      return await use([...connections])
    } finally {
      for (const { socket } of connections) socket.destroy()
    }
  }

  async function call(connection: Connection): Promise<void> {
    const status = await connection.request(requests(sent++))
    if (status === 0) throw new Error('the server closed a connection')
  }

  return {
    flow: (seconds) =>
      withConnections(async (idle) => {
        const start = performance.now()
        const elapsed = () => (performance.now() - start) / 1000
        const calls: Promise<unknown>[] = []
        while (elapsed() < seconds) {
          while (calls.length < elapsed() * PER_SECOND && idle.length > 0) {
            // In turns: the server closes idle connections.
            const connection = idle.shift()!
            calls.push(call(connection).then(() => idle.push(connection)))
          }
          await new Promise((resolve) => setTimeout(resolve, TICK_MS))
        }
        await Promise.all(calls)
        return calls.length / elapsed()
      }),
    burst: (count) => withConnections(async (idle) => void (await Promise.all(idle.slice(0, count).map(call)))),
  }
}

/** Mostly reads, some of them refused; one call of twenty is a new question, which is an event, too. */
function requestsOf({ sellers, buyers }: WorldInfo): (n: number) => string {
  const [seller, buyer] = [sellers[0]!, buyers[0]!]
  const reads = [
    get(`/questions/search?seller_id=${seller.id}&limit=20`, seller.token),
    get('/items/MLA1400000001', seller.token),
    get(`/users/${seller.id}/contacts/phone_views/time_window?last=30&unit=day`, seller.token),
    get('/users/me', buyer.token),
    get('/questions/1', seller.token),
  ]
  return (n) =>
    n % 20 === 19
      ? post('/questions', buyer.token, { item_id: 'MLA1400000001', text: `¿Hay stock? (${n})` })
      : reads[n % reads.length]!
}
