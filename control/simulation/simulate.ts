import { yieldToEventLoop } from '../../db/engine.ts'
import { nextNumber } from '../../db/ids.ts'
import type { World } from '../../db/world.ts'
import type { StatisticKind } from '../../domains/contacts/tables.ts'
import { random } from '../../domains/shared/demo/random.ts'
import { userById } from '../../domains/users/queries.ts'
import type { Profile } from '../../scenarios/profiles.ts'
import type { Shop, TrafficEvent } from '../../scenarios/traffic.ts'
import { type Change, changesOf, createBatchWriter } from './batch_writer.ts'
import { activeItems, shoppersOf } from './queries.ts'

/** Sellers simulated at a time: their buyers are in memory. */
const SELLERS_PER_GROUP = 16

interface SimulationResult extends Record<StatisticKind, number> {
  /** Questions that have an answer. */
  answered: number
}

interface SimulationOptions {
  profile: Profile
  seed: number
  /** World time, ms. */
  from: number
  now: number
  /** Whether changes of questions are notified. */
  notify: boolean
  /** Called with the share of the days and sellers that is done. */
  onProgress: (share: number) => void
}

/**
 * Generates contacts and questions for these sellers from `from` until `now`, in addition to existing ones; the same for
 * the same seed and world. Writes in units, so other calls see partial results. Events of each group of sellers are in
 * the order of time.
 */
export async function simulate(
  world: World,
  sellers: readonly number[],
  options: SimulationOptions,
): Promise<SimulationResult> {
  const result: SimulationResult = { phone_views: 0, whatsapp: 0, questions: 0, answered: 0 }
  for (let n = 0; n < sellers.length; n += SELLERS_PER_GROUP) {
    const group = sellers.slice(n, n + SELLERS_PER_GROUP)
    const onProgress = (share: number) => options.onProgress((n + share * group.length) / sellers.length)
    await simulateGroup(world, group, { ...options, onProgress }, result)
  }
  return result
}

async function simulateGroup(
  world: World,
  sellers: readonly number[],
  { profile, seed, from, now, notify, onProgress }: SimulationOptions,
  result: SimulationResult,
): Promise<void> {
  const { traffic } = await import('../../scenarios/traffic.ts')
  const { origin } = world
  const span = { from: from - origin, now: now - origin }
  const streams: Generator<TrafficEvent>[] = []
  for (const id of sellers) {
    const sellerRandom = random(seed).fork(`seller ${id}`)
    streams.push(traffic(await readShop(world, id), profile, span, sellerRandom))
    await yieldToEventLoop()
  }
  const writer = createBatchWriter(world, notify, result)
  /** Pending changes, in the order of time. */
  let upcoming: Change[] = []
  for (let hasMore = true; hasMore; ) {
    // All generators yield the same days.
    let until = Number.POSITIVE_INFINITY
    hasMore = false
    for (const stream of streams) {
      for (let next = stream.next(); !next.done; next = stream.next()) {
        const event = next.value
        if (event.kind === 'day_over') {
          until = event.at + origin
          hasMore = true
          break
        }
        if (event.kind === 'questions') upcoming.push(...changesOf(event.question, origin))
        else await writer.addContact({ ...event, at: event.at + origin, count: 1 })
      }
      await yieldToEventLoop()
    }
    upcoming.sort((a, b) => a.at - b.at)
    const firstLater = upcoming.findIndex(({ at }) => at >= until)
    const due = firstLater < 0 ? upcoming : upcoming.slice(0, firstLater)
    upcoming = firstLater < 0 ? [] : upcoming.slice(firstLater)
    for (const change of due) await writer.addChange(change)
    onProgress(Math.min(1, (until - from) / (now - from)))
  }
  await writer.flush()
}

async function readShop({ read }: World, id: number): Promise<Shop> {
  const seller = (await userById(read, id))!
  const people = await shoppersOf(read, id, seller.site_id)
  // Test users keep their own history: they are used only if a site has no other buyers.
  const regularShoppers = people.filter(({ tags }) => !tags.includes('"test_user"'))
  return { seller, items: await activeItems(read, id), shoppers: regularShoppers.length > 0 ? regularShoppers : people }
}

/** A default seed that no earlier call had. */
export const nextSeed = async (world: World): Promise<number> => {
  const n = await world.tx((q) => nextNumber(q, 'simulate'))
  return random(world.seed)
    .fork(`simulate ${n}`)
    .int(0, 2 ** 32 - 1)
}
