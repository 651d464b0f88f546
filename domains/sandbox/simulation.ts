import { nextNumber } from '../../db/ids.ts'
import type { ContactKind } from '../../db/schema/contacts.ts'
import type { World } from '../../db/world.ts'
import { random } from '../../scenarios/random.ts'
import { type Event, type Profile, type Shop, traffic } from '../../scenarios/traffic.ts'
import { recordContacts } from '../contacts/operations.ts'
import { nextGuest } from '../questions/control_operations.ts'
import { put } from '../questions/operations.ts'
import { userById } from '../users/queries.ts'
import type { Counted } from './contact_bodies.ts'
import { activeItems, shoppersOf } from './simulate_queries.ts'

/** Events of a unit: with their texts they take some milliseconds. */
const SLICE = 200

export interface Simulated extends Record<ContactKind, number> {
  /** Questions that have an answer. */
  answered: number
}

/**
 * Has buyers come to these sellers from `from` until `now` (ms), on top of what is there; the same seed in the same world
 * brings the same ones. One unit for each slice: who reads meanwhile sees it grow.
 */
export async function simulate(
  world: World,
  sellers: readonly number[],
  { profile, seed, from, now }: { profile: Profile; seed: number; from: number; now: number },
): Promise<Simulated> {
  const done: Simulated = { phone_views: 0, whatsapp: 0, questions: 0, answered: 0 }
  const { origin } = world
  for (const id of sellers) {
    const shop = await shopOf(world, id)
    let slice: Event[] = []
    for (const event of traffic(shop, profile, from - origin, now - origin, random(seed).fork(`seller ${id}`))) {
      slice.push(event)
      if (slice.length < SLICE) continue
      await record(world, slice, done)
      slice = []
    }
    await record(world, slice, done)
  }
  return done
}

async function shopOf({ read }: World, id: number): Promise<Shop> {
  const seller = (await userById(read, id))!
  const people = await shoppersOf(read, id, seller.site_id)
  // Who is there to be acted as has a past of their own making, as long as there are others.
  const others = people.filter(({ tags }) => !tags.includes('"test_user"'))
  return { seller, items: await activeItems(read, id), shoppers: others.length > 0 ? others : people }
}

async function record(world: World, slice: readonly Event[], done: Simulated): Promise<void> {
  const { origin } = world
  const contacts: Counted[] = []
  const questions = slice
    .flatMap((event) => (event.kind === 'questions' ? [event.question] : []))
    .sort((a, b) => a.date_created - b.date_created)
    .map((question) => ({
      ...question,
      date_created: question.date_created + origin,
      answered_at: question.answered_at === null ? null : question.answered_at + origin,
    }))
  for (const event of slice)
    if (event.kind !== 'questions') contacts.push({ ...event, at: event.at + origin, count: 1 })
  for (const { item_id, seller_id: user_id, from_id: buyer_id, date_created: at } of questions)
    contacts.push({ kind: 'questions', item_id, user_id, buyer_id, at, count: 1 })
  await world.tx(async (q) => {
    for (const question of questions) await put(q, { ...question, from_id: question.from_id ?? (await nextGuest(q)) })
    await recordContacts(q, world, contacts)
  })
  for (const { kind } of contacts) done[kind]++
  for (const { answered_at } of questions) if (answered_at !== null) done.answered++
}

/** A seed that no call before it had by itself. */
export const nextSeed = async (world: World): Promise<number> => {
  const n = await world.tx((q) => nextNumber(q, 'simulate'))
  return random(world.seed)
    .fork(`simulate ${n}`)
    .int(0, 2 ** 32 - 1)
}
