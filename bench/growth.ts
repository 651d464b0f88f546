import { join } from 'node:path'
import { buildAll } from '../tools/build.ts'
import { FIRST_QUESTION, insertOrders, insertQuestions, numbers, writeMany } from './many_rows.ts'
import { folder, ourServer, progress, type ReadyServer, SERVER_CORE } from './processes.ts'
import { get } from './requests.ts'
import { median, quantile, table, two } from './tables.ts'
import { inOrder, Load, pause, turn } from './turns.ts'

// `npm run bench -- growth`: the same reads of worlds of two sizes, in turns. The rows are as uneven as possible: one
// seller has all, one buyer two thirds of the questions, one listing a tenth. Counts are remembered from the first call of a kind.

const SIZES = [10_000, 1_000_000]
/** Contacts for each question, and for each order. */
const CONTACTS = 10
const ROUNDS = 5
/** Of a round, all different. */
const CALLS = 200
const MAX_GROWTH = 1.3

const HOUR = 3_600_000
const DAY = 24 * HOUR
const SPAN = 180 * DAY
const LISTING = 'MLA1400000001'

interface Size {
  contacts: number
  server: ReadyServer
}

/** Paths of the n-th call; `seller` has all rows. */
const READS: Record<string, (seller: number, n: number, questions: number) => string> = {
  question: (_, n, questions) => `/questions/${FIRST_QUESTION + ((100 * n) % questions)}`,
  'page of a seller': (seller) => `/questions/search?seller_id=${seller}&limit=50`,
  'page by status': (seller) => `/questions/search?seller_id=${seller}&status=UNANSWERED&limit=50`,
  'page of a listing': () => `/questions/search?item=${LISTING}&limit=50`,
  'page by dates': (seller, n) => {
    const iso = (days: number) => new Date(Date.now() - (n % 7) * HOUR - days * DAY).toISOString()
    return `/questions/search?seller_id=${seller}&limit=50&date_created.from=${iso(90)}&date_created.to=${iso(60)}`
  },
  'total of 30 days': (seller, n) => {
    const iso = (days: number) => new Date(Date.now() - (n % 1000) * 61_000 - days * DAY).toISOString()
    return `/users/${seller}/contacts/phone_views?date_from=${iso(30)}&date_to=${iso(0)}`
  },
  'series of 30 days': (seller) => `/users/${seller}/contacts/phone_views/time_window?last=30&unit=day`,
  'series of a listing': () => `/items/${LISTING}/contacts/phone_views/time_window?last=30&unit=day`,
  'page of orders': (seller) => `/orders/search?seller=${seller}&sort=date_desc`,
  'users/me': () => '/users/me',
  'response time': (seller) => `/users/${seller}/questions/response_time`,
}

export async function measureGrowth(): Promise<string> {
  await buildAll()
  const sizes: Size[] = []
  for (const contacts of SIZES) sizes.push({ contacts, server: await createWorld(contacts) })
  const load = new Load()
  try {
    const rows: string[][] = []
    for (const name of Object.keys(READS)) {
      progress(name)
      rows.push(await measureRead(load, name, sizes))
    }
    const sized = SIZES.flatMap((contacts) => [`ms, ${contacts / 1000} k`, '99 %'])
    return `Reads of worlds with ${SIZES.join(' and ')} contacts, and a tenth of questions and of orders; no answer comes from a cache\n
${table(['', ...sized, 'growth', `goal ${MAX_GROWTH}`], rows)}`
  } finally {
    load.stop()
    for (const { server } of sizes) await server.stop()
  }
}

let serial = 0

async function measureRead(load: Load, name: string, sizes: Size[]): Promise<string[]> {
  const ms = new Map(sizes.map((size): [Size, number[]] => [size, []]))
  const medians: number[][] = []
  const play = async ({ server, contacts }: Size) => {
    const { id, token } = server.world.sellers[0]!
    const requests = Array.from({ length: CALLS }, () => {
      const path = READS[name]!(id, ++serial, contacts / CONTACTS)
      // An unused parameter makes each call unique.
      return get(`${path}${path.includes('?') ? '&' : '?'}n=${serial}`, token)
    })
    return (await turn(load, server, { requests, connections: 1, count: CALLS, maxSeconds: 2, isTimed: true })).ms
  }
  for (const size of sizes) await play(size)
  for (let round = 0; round < ROUNDS; round++) {
    const ofRound = new Map<Size, number>()
    for (const size of inOrder(sizes, round)) {
      const times = await play(size)
      ms.get(size)!.push(...times)
      ofRound.set(size, median(times))
    }
    medians.push(sizes.map((size) => ofRound.get(size)!))
  }
  const growth = median(medians.map(([small, large]) => large! / small!))
  const times = [...ms.values()].flatMap((all) => [median(all).toFixed(3), quantile(all, 0.99).toFixed(3)])
  return [name, ...times, two(growth), growth <= MAX_GROWTH ? 'met' : 'MISSED']
}

async function createWorld(contacts: number): Promise<ReadyServer> {
  const data = join(folder, `growth-${contacts}`)
  const { world, stop } = await ourServer(data)
  await stop()
  const begun = performance.now()
  fill(join(data, 'world-1.sqlite'), world.sellers[0]!.id, world.buyers[0]!.id, contacts)
  progress(`${contacts} contacts in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
  const server = await ourServer(data, { core: SERVER_CORE })
  pause(server)
  return server
}

/** Replaces the contacts of a world that no server uses, and adds questions to the few that it has. */
function fill(file: string, seller: number, buyer: number, contacts: number): void {
  const now = Date.now()
  const count = contacts / CONTACTS
  writeMany(file, ['question', 'sale_order'], (draft) => {
    insertQuestions(draft, { count, seller, buyer, now, span: SPAN })
    insertOrders(draft, { count, seller, now, span: SPAN })
    for (const table of ['contact_event', 'contact_user_hour', 'contact_item_hour']) draft.run(`DELETE FROM ${table}`)
    draft.run(
      `${numbers(contacts)} INSERT INTO contact_event (user_id, kind, at, seq, item_id, buyer_id)
       SELECT ${seller}, 'phone_views', ${now - SPAN} - (SELECT origin FROM world) + n * ${SPAN / contacts}, n,
         'MLA' || (1400000001 + n * 7919 % 10), NULL FROM number`,
    )
    for (const subject of ['user', 'item'])
      draft.run(
        `INSERT INTO contact_${subject}_hour SELECT ${subject}_id, kind, cast(floor(at / ${HOUR}.0) AS integer), count(*)
         FROM contact_event GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
      )
  })
}
