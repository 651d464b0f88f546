import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { type Q, yieldToEventLoop } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import { detailsOf } from '../../domains/items/details.ts'
import { stockOf } from '../../domains/items/queries.ts'
import { buy } from '../../domains/orders/buy_operations.ts'
import { cancel, pay, reject } from '../../domains/orders/operations.ts'
import { blockList } from '../../domains/orders/queries.ts'
import type { OrderRow } from '../../domains/orders/tables.ts'
import { controlConfig, StrictBody } from '../../domains/shared/control_schemas.ts'
import { type Random, random } from '../../domains/shared/demo/random.ts'
import { instantOn, trafficOfWeekday } from '../../domains/shared/demo/wording.ts'
import { userNotFound } from '../../domains/shared/errors.ts'
import { errorResponses, Id, MAX_ID, ResponseObject } from '../../domains/shared/schemas.ts'
import { userById } from '../../domains/users/queries.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { activeItems, activeSellers, shoppersOf } from './queries.ts'
import { nextSeed } from './simulate.ts'

const DAY = 24 * 3_600_000
const MAX_SALES = 10_000
/** From then on a parcel may have arrived. */
const ARRIVES_MS = 2 * DAY
/** The share of buyers who write a message after they have paid. */
const WRITES = 0.5
/** Sales of a unit, which takes some milliseconds. */
const BATCH_SIZE = 50

/** What becomes of a sale; the rest is paid at once. */
const OUTCOMES = [
  { outcome: 'paid_later', share: 0.05 },
  { outcome: 'rejected', share: 0.03 },
  { outcome: 'cancelled', share: 0.04 },
  // Of what can have arrived.
  { outcome: 'claimed', share: 0.03 },
] as const
type Outcome = 'paid' | (typeof OUTCOMES)[number]['outcome']

const whole = (minimum: number, maximum: number, description: string, example: number) =>
  Type.Integer({
    ...{ minimum, maximum, description, examples: [example] },
    'x-message': `must be an integer from ${minimum} to ${maximum === MAX_ID ? '2^53 − 1' : maximum}`,
  })
const count = (description: string) => Type.Integer({ description, examples: [20] })
const Days = whole(1, 365, 'Days in which they are made, up to the world’s now; default 7', 7)
const Seed = whole(
  0,
  MAX_ID,
  'The same seed in the same world makes the same sales; default: derived from that of the world',
  7,
)

const SimulatedSales = ResponseObject(
  {
    ...{ days: Days, seed: Seed },
    sales: count('Orders that were made'),
    paid: count('Of these, paid at once'),
    paid_later: count('Paid after a day'),
    rejected: count('Whose payment was rejected'),
    cancelled: count('Paid, then cancelled'),
    claimed: count('Paid and delivered, then complained about'),
    messages: count('Messages that buyers have written'),
    answered: count('Buyers whom sellers have answered'),
    sold_out: count('Purchases for which nothing was in stock'),
  },
  { title: 'SimulatedSales', description: 'Sales that were made' },
)

const salesRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/simulate/sales',
    {
      config: controlConfig('Orders', 'Sales of any seller'),
      schema: {
        summary: 'Have buyers buy in the last days',
        description:
          'Buyers of the sites choose listings by popularity, at the hours and on the weekdays at which people buy. Of 100, 85 pay at once, 5 later, the payment of 3 is rejected, 4 cancel what they have paid, and 3 complain if the sale is two days old: their parcel is delivered. Half of those who pay at once write a message; sellers answer within two days, and a third of these buyers write again. Units leave the stock; each change publishes its events now.',
        body: StrictBody(
          {
            sales: Type.Optional(whole(1, MAX_SALES, 'Sales; default 20', 20)),
            per_day: Type.Optional(
              Type.Boolean({
                ...{ description: 'As many each day', examples: [true] },
                'x-message': 'must be true or false',
              }),
            ),
            days: Type.Optional(Days),
            seed: Type.Optional(Seed),
            user_id: Type.Optional(Id('Only this seller’s listings', 2500000101)),
          },
          { examples: [{ sales: 20 }], 'x-message': 'must be a JSON object' },
        ),
        response: { 201: SimulatedSales, ...errorResponses(400, 404, 413) },
      },
    },
    async ({ world, body: { sales = 20, per_day = false, days = 7, seed: givenSeed, user_id } }, reply) => {
      if (user_id !== undefined && !(await userById(world.read, user_id))) throw userNotFound(user_id)
      const total = per_day ? sales * days : sales
      if (total > MAX_SALES) throw badRequest(`sales: would make ${total} sales; at most ${MAX_SALES} at a time`)
      const shops = await readShops(world.read, user_id)
      if (shops.length === 0)
        throw badRequest(`${user_id === undefined ? 'world' : 'user_id'}: nothing is for sale, or nobody buys`)
      const seed = givenSeed ?? (await nextSeed(world))
      const drafts = draftSales(
        shops,
        { total, per_day, days, now: world.clock.now(), origin: world.origin },
        random(seed),
      )
      return reply.code(201).send({ days, seed, ...(await makeSales(world, drafts)) })
    },
  )
}
export default salesRoutes

/** A listing, or one of its variations. */
interface Offer {
  item_id: string
  variation_id?: number
}

interface Shop {
  offers: Offer[]
  buyers: number[]
}

/** Sellers with listings for sale and buyers; test users buy only on sites without others. */
async function readShops(q: Q, user_id: number | undefined): Promise<Shop[]> {
  const shops: Shop[] = []
  for (const { seller_id } of await activeSellers(q)) {
    if (user_id !== undefined && seller_id !== user_id) continue
    const { site_id } = (await userById(q, seller_id))!
    const people = await shoppersOf(q, seller_id, site_id)
    const others = people.filter(({ tags }) => !tags.includes('"test_user"'))
    const buyers: number[] = []
    for (const { id: buyer_id } of others.length > 0 ? others : people)
      if (!(await blockList.has(q, seller_id, buyer_id))) buyers.push(buyer_id)
    const items = (await activeItems(q, seller_id)).filter((one) => one.available_quantity > 0)
    const offers = items.flatMap((row): Offer[] => {
      const { variations = [] } = detailsOf(row)
      return variations.length === 0
        ? [{ item_id: row.id }]
        : variations.map(({ id }) => ({ item_id: row.id, variation_id: id }))
    })
    if (offers.length > 0 && buyers.length > 0) shops.push({ offers, buyers })
  }
  return shops
}

interface Draft extends Offer {
  buyer: number
  quantity: number
  date_created: number
  outcome: Outcome
  /** Whether the buyer writes after the purchase. */
  writes: boolean
  /** Decides what is written, and when. */
  texts: Random
}

/** Purchases in the order of time. */
function draftSales(
  shops: readonly Shop[],
  { total, per_day, days, now, origin }: Record<'total' | 'days' | 'now' | 'origin', number> & { per_day: boolean },
  r: Random,
): Draft[] {
  // Days count from the origin, a Monday.
  const last = Math.floor((now - origin) / DAY)
  const weights = Array.from({ length: days }, (_, n) => trafficOfWeekday(last - n))
  const ranked = shops.map(({ offers, buyers }) => ({ offers: r.shuffle(offers), buyers }))
  const drafts = Array.from({ length: total }, (_, n): Draft => {
    const day = last - (per_day ? n % days : r.weighted(weights))
    const { offers, buyers } = r.pick(ranked)
    return {
      ...offers[r.weighted(offers.map((_, rank) => 1 / (rank + 2)))]!,
      buyer: r.pick(buyers),
      quantity: r.chance(0.12) ? 2 : 1,
      date_created: Math.min(now, origin + instantOn(day, r)),
      outcome: outcomeOf(r.next()),
      ...{ writes: false, texts: r },
    }
  })
  for (const [n, draft] of drafts.entries()) {
    draft.texts = r.fork(`message ${n}`)
    if (draft.outcome === 'claimed' && draft.date_created > now - ARRIVES_MS) draft.outcome = 'paid'
    draft.writes = draft.outcome === 'paid' && draft.texts.chance(WRITES)
  }
  return drafts.sort((a, b) => a.date_created - b.date_created)
}

function outcomeOf(drawn: number): Outcome {
  let left = drawn
  for (const { outcome, share } of OUTCOMES) {
    left -= share
    if (left < 0) return outcome
  }
  return 'paid'
}

/** Makes the sales in units of some; a listing without enough stock sells nothing. */
async function makeSales(world: World, drafts: readonly Draft[]) {
  const made = { sales: 0, paid: 0, paid_later: 0, rejected: 0, cancelled: 0, claimed: 0 }
  const written = { messages: 0, answered: 0 }
  let sold_out = 0
  const { complain, converse } = await import('./after_sale.ts')
  for (let n = 0; n < drafts.length; n += BATCH_SIZE) {
    await world.tx(async (q) => {
      for (const draft of drafts.slice(n, n + BATCH_SIZE)) {
        const { item_id, variation_id = null, quantity, outcome, writes, texts } = draft
        if (((await stockOf(q, item_id, variation_id)) ?? 0) < quantity) {
          sold_out++
          continue
        }
        const order = await makeSale(q, world, draft)
        made.sales++
        made[outcome]++
        if (outcome === 'claimed') await complain(q, world, order, texts)
        if (!writes) continue
        const { messages, answered } = await converse(q, world, order, texts)
        written.messages += messages
        written.answered += answered
      }
    })
    await yieldToEventLoop()
  }
  return { ...made, ...written, sold_out }
}

async function makeSale(q: Q, world: World, { outcome, ...purchase }: Draft): Promise<OrderRow> {
  const { item_id, variation_id, quantity, buyer, date_created } = purchase
  const status = outcome === 'paid_later' || outcome === 'rejected' ? 'payment_required' : 'paid'
  const [order] = await buy(q, world, { items: [{ item_id, variation_id, quantity }], buyer, date_created, status })
  const { id } = order!
  if (outcome === 'paid_later') await pay(q, world, id, Math.min(world.clock.now(), date_created + DAY))
  if (outcome === 'rejected') await reject(q, order!, date_created)
  if (outcome === 'cancelled') await cancel(q, world, id, { by: 'buyer', restock: true })
  return order!
}
