import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { realNow } from '../../db/clock.ts'
import type { World } from '../../db/world.ts'
import type { Worlds } from '../../db/worlds.ts'
import { expiredUntil } from '../../domains/credits/lifetime.ts'
import { listLeads } from '../../domains/credits/queries.ts'
import { LEAD_STATUSES } from '../../domains/credits/tables.ts'
import { FLEX_STATUSES } from '../../domains/flex/tables.ts'
import { NOTIFICATION_STATUSES } from '../../domains/notifications/tables.ts'
import { QUESTION_STATUSES } from '../../domains/questions/tables.ts'
import { controlCall, controlConfig, viewable } from '../../domains/shared/control_schemas.ts'
import { utcMillis, utcOrNull } from '../../domains/shared/instants.ts'
import type { TOPICS } from '../../domains/shared/topics.ts'
import type { Entry } from '../../http/journal/journal_entry.ts'
import type { Journals } from '../../http/journal/journals.ts'
import about from '../../package.json' with { type: 'json' }
import { contactCounts, faultCounts, statusCounts, topicsOff, totalOf } from './queries.ts'
import { ANSWER_CLASSES, type AnswerClass, Overview } from './schemas.ts'

const config = controlConfig('Overview', 'The state of a world in numbers')

const HOUR = 3_600_000
const MINUTE = 60_000
/** Of which the requests are counted. */
const MINUTES = 10

interface Options {
  worlds: Worlds
  journals: Journals
}

/** The recorded requests of a world, by class of status and by minute. */
function countRequests({ generation }: World, journals: Journals) {
  const { requests } = journals.of(generation)
  const entries = requests.values()
  const by_status = Object.fromEntries(ANSWER_CLASSES.map((name) => [name, 0])) as Record<AnswerClass, number>
  for (const { status } of entries) by_status[status === null ? 'none' : (`${Math.floor(status / 100)}xx` as '2xx')]++
  return { total: entries.length, dropped: requests.dropped, by_status, minutes: byMinute(entries) }
}

/** The latest minutes of real time, the present one last. */
function byMinute(entries: Entry[]) {
  const first = Math.floor(realNow() / MINUTE) - MINUTES + 1
  const minutes = Array.from({ length: MINUTES }, (): Entry[] => [])
  for (const entry of entries) minutes[Math.floor(entry.at / MINUTE) - first]?.push(entry)
  return minutes.map((calls, n) => {
    const durations = calls.map(({ ms }) => ms).sort((a, b) => a - b)
    return {
      at: utcMillis((first + n) * MINUTE),
      total: calls.length,
      refused: calls.filter(({ status }) => status === null || status >= 400).length,
      p95_ms: durations[Math.ceil(durations.length * 0.95) - 1] ?? null,
    }
  })
}

/** Contacts of the current hour and the 23 before it. */
async function countContacts({ read, origin }: World, now: number) {
  const last = Math.floor((now - origin) / HOUR)
  const { phone_views, whatsapp: messaging_clicks, questions } = await contactCounts(read, { first: last - 23, last })
  return { phone_views, messaging_clicks, questions }
}

async function countLeads({ read }: World, now: number) {
  return {
    by_status: await statusCounts(read, 'loans', LEAD_STATUSES),
    expired: (await listLeads(read, { expiredUntil: expiredUntil(now) }, { limit: 0, offset: 0 })).total,
  }
}

const describeWorld = ({ id, scenario, seed }: World, { describe, mode }: Worlds) => {
  const [{ name, createdAt }] = describe([id]) as [ReturnType<typeof describe>[0]]
  return { id, name, scenario, seed, mode, created_at: utcOrNull(createdAt) }
}

const overview: FastifyPluginAsyncTypebox<Options> = async (app, { worlds, journals }) => {
  app.get(
    '/overview',
    controlCall(viewable(config), {
      summary: 'Numbers of a world: requests, questions, notifications, leads, contacts, faults',
      answer: Overview,
    }),
    async ({ world }) => {
      const { read, clock } = world
      const now = clock.now()
      return {
        world: describeWorld(world, worlds),
        clock: { mode: clock.mode, now: utcMillis(now) },
        version: about.version,
        requests: countRequests(world, journals),
        questions: { by_status: await statusCounts(read, 'questions', QUESTION_STATUSES) },
        deliveries: { by_status: await statusCounts(read, 'deliveries', NOTIFICATION_STATUSES) },
        loans: await countLeads(world, now),
        flex: { by_status: await statusCounts(read, 'flex', FLEX_STATUSES) },
        contacts: await countContacts(world, now),
        faults: await faultCounts(read),
        topics_off: (await topicsOff(read)).map(({ application_id, topic, off_at }) => ({
          application_id,
          topic: topic as (typeof TOPICS)[number],
          since: utcMillis(off_at!),
        })),
        applications: await totalOf(read, 'applications'),
        users: await totalOf(read, 'users'),
        items: await totalOf(read, 'items'),
        orders: await totalOf(read, 'orders'),
        snapshots: (await worlds.snapshots(world.id)).length,
      }
    },
  )
}
export default overview
