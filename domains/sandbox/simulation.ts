import { yieldToEventLoop } from '../../db/engine.ts'
import { nextNumber } from '../../db/ids.ts'
import type { ContactKind } from '../../db/schema/contacts.ts'
import type { World } from '../../db/world.ts'
import { random } from '../../scenarios/random.ts'
import { type TrafficEvent, type Profile, type Shop, traffic } from '../../scenarios/traffic.ts'
import { userById } from '../users/queries.ts'
import { activeItems, shoppersOf } from './simulate_queries.ts'
import { type Change, changesOf, recorder } from './simulation_units.ts'

/** Sellers whose days go by side by side: what is known of their buyers is in memory. */
const TOGETHER = 16

export interface Simulated extends Record<ContactKind, number> {
  /** Questions that have an answer. */
  answered: number
}

export interface Wanted {
  profile: Profile
  seed: number
  /** World time, ms. */
  from: number
  now: number
  /** Applications are told of what happens to questions. */
  notify: boolean
}

/**
 * Has buyers come to these sellers from `from` until `now`, on top of what is there; the same seed in the same world
 * brings the same ones. Day by day, unit by unit: who reads meanwhile sees it grow. What happens to the questions of
 * sixteen sellers, and is told, is in the order of time; then come the next sixteen.
 */
export async function simulate(world: World, sellers: readonly number[], wanted: Wanted): Promise<Simulated> {
  const done: Simulated = { phone_views: 0, whatsapp: 0, questions: 0, answered: 0 }
  for (let n = 0; n < sellers.length; n += TOGETHER)
    await sideBySide(world, sellers.slice(n, n + TOGETHER), wanted, done)
  return done
}

async function sideBySide(
  world: World,
  sellers: readonly number[],
  { profile, seed, from, now, notify }: Wanted,
  done: Simulated,
): Promise<void> {
  const { origin } = world
  const streams: Generator<TrafficEvent>[] = []
  for (const id of sellers) {
    const own = random(seed).fork(`seller ${id}`)
    streams.push(traffic(await shopOf(world, id), profile, from - origin, now - origin, own))
    await yieldToEventLoop()
  }
  const record = recorder(world, notify, done)
  /** What is still to happen, in the order of time. */
  let ahead: Change[] = []
  for (let more = true; more; ) {
    // All streams tell of the same days.
    let until = Number.POSITIVE_INFINITY
    more = false
    for (const stream of streams) {
      for (let next = stream.next(); !next.done; next = stream.next()) {
        const event = next.value
        if (event.kind === 'day_over') {
          until = event.at + origin
          more = true
          break
        }
        if (event.kind === 'questions') ahead.push(...changesOf(event.question, origin))
        else await record.contact({ ...event, at: event.at + origin, count: 1 })
      }
      await yieldToEventLoop()
    }
    ahead.sort((a, b) => a.at - b.at)
    const later = ahead.findIndex(({ at }) => at >= until)
    const today = later < 0 ? ahead : ahead.slice(0, later)
    ahead = later < 0 ? [] : ahead.slice(later)
    for (const change of today) await record.change(change)
  }
  await record.end()
}

async function shopOf({ read }: World, id: number): Promise<Shop> {
  const seller = (await userById(read, id))!
  const people = await shoppersOf(read, id, seller.site_id)
  // Who is there to be acted as has a past of their own making, as long as there are others.
  const others = people.filter(({ tags }) => !tags.includes('"test_user"'))
  return { seller, items: await activeItems(read, id), shoppers: others.length > 0 ? others : people }
}

/** A seed that no call before it had by itself. */
export const nextSeed = async (world: World): Promise<number> => {
  const n = await world.tx((q) => nextNumber(q, 'simulate'))
  return random(world.seed)
    .fork(`simulate ${n}`)
    .int(0, 2 ** 32 - 1)
}
