import { timeIn } from '../../db/clock.ts'
import type { Q } from '../../db/engine.ts'
import { worldOfApplication, worldOfToken } from '../../db/ids.ts'
import { readWorldRow } from '../../db/world.ts'
import { SWITCHES } from '../../domains/assumptions.ts'
import { CONTACT_KINDS } from '../../domains/contacts/tables.ts'
import { toSettingInput } from '../../domains/notifications/control/setting_schemas.ts'
import { listSettings } from '../../domains/notifications/queries.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import { nonDefaultSwitches } from '../../http/switches.ts'
import { present as presentFault } from '../faults/schemas.ts'
import {
  applicationsOf,
  blocksOf,
  contactsOf,
  countersOf,
  faultsOf,
  firstContact,
  grantsOf,
  itemsOf,
  loansOf,
  questionsOf,
  questionTimesOf,
  sellersWithContacts,
  shipmentsOf,
  subscriptionsOf,
  tokensOf,
  usersOf,
} from './queries.ts'
import { CONTACT_KIND_BY_NAME, elementSchema, LIST_NAMES, type ListName, MAX_INSTANTS } from './schemas.ts'

interface ExportContext {
  q: Q
  /** The world's number. */
  id: number
  origin: number
  /** Positions of its applications in the file, by id. */
  positions: Map<number, number>
}
type Rows = AsyncIterable<object[]>

/**
 * A world as the text of a file, in parts; `q` reads a copy of it that nobody writes. The same world gives the same
 * bytes.
 */
export async function* exportWorld(q: Q): AsyncGenerator<string> {
  const world = await readWorldRow(q)
  const { id, origin, seed, clock_mode: mode } = world
  const now = timeIn({ mode, ms: world.clock_ms })
  const clock = mode === 'real' ? { mode } : { mode, now: utcMillis(now) }
  yield `{\n  "version": 1,\n${member('clock', clock)}${member('seed', seed)}${member('assumptions', nonDefaultSwitches(SWITCHES, JSON.parse(world.switches)))}`
  const applications = (await applicationsOf(q)).sort(ownApplicationsFirst(id))
  const positions = new Map(applications.map((application, n) => [application.id, n]))
  const context = { q, id, origin, positions }
  for (const name of LIST_NAMES) {
    yield `  ${JSON.stringify(name)}: [`
    let separator = '\n'
    for await (const rows of EXPORTERS[name](context)) {
      let text = ''
      for (const row of rows) {
        text += `${separator}    ${JSON.stringify(omitDefaults(name, row))}`
        separator = ',\n'
      }
      yield text
      // Reading yields to nobody by itself.
      await new Promise(setImmediate)
    }
    yield separator === '\n' ? '],\n' : '\n  ],\n'
  }
  yield `  "counters": ${JSON.stringify(await countersOf(q))}\n}\n`
}

const member = (name: string, value: unknown): string => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`

/** Numbers of applications that are the world's own depend on the world: they stand first, whatever it is. */
const ownApplicationsFirst = (world: number) => {
  const isChosen = ({ id }: { id: number }) => (worldOfApplication(id) === world ? 0 : 1)
  return (a: { id: number }, b: { id: number }) => isChosen(a) - isChosen(b) || a.id - b.id
}

/** What has its default is left out. */
function omitDefaults(name: ListName, row: object): object {
  const defaults = DEFAULTS[name]
  return Object.fromEntries(
    Object.entries(row).filter(([member, value]) => JSON.stringify(value) !== defaults.get(member)),
  )
}
const DEFAULTS = Object.fromEntries(
  LIST_NAMES.map((name) => {
    const members = Object.entries<{ default?: unknown }>(elementSchema(name).properties)
    return [name, new Map(members.map(([member, schema]) => [member, JSON.stringify(schema.default)]))]
  }),
) as Record<ListName, Map<string, string | undefined>>

const utcOrNull = (ms: number | null): string | null => (ms === null ? null : utcMillis(ms))

async function* mapPages<Row>(pages: AsyncIterable<Row[]>, present: (row: Row) => object): Rows {
  for await (const rows of pages) yield rows.map(present)
}

const EXPORTERS: Record<ListName, (context: ExportContext) => Rows> = {
  users: ({ q }) =>
    mapPages(usersOf(q), ({ address, tags, registration_date, ...row }) => ({
      ...row,
      address: JSON.parse(address),
      tags: JSON.parse(tags),
      registration_date: utcOrNull(registration_date),
    })),

  // The world's own have neither id nor secret here: a world that is made of the file gives its own.
  async *applications({ q, id: world }) {
    const rows = (await applicationsOf(q)).sort(ownApplicationsFirst(world))
    const settingsByApplication = new Map((await listSettings(q)).map((row) => [row.application_id, row]))
    yield rows.map(({ id, secret, name, redirect_uri }) => {
      const setting = settingsByApplication.get(id)
      return {
        ...(worldOfApplication(id) === world ? { number: id % 1e9 } : { id, secret }),
        name,
        redirect_uri,
        ...(setting && { notifications: toSettingInput(setting) }),
      }
    })
  },

  async *grants({ q, positions }) {
    for (const [id, application] of positions)
      yield* mapPages(grantsOf(q, id), ({ user_id, date_created }) => ({
        user_id,
        application,
        date_created: utcOrNull(date_created),
      }))
  },

  tokens: ({ q, id, positions }) =>
    mapPages(tokensOf(q), ({ token, application_id, user_id, expires_at }) => ({
      user_id,
      application: positions.get(application_id),
      ...(worldOfToken(token) !== id && { token }),
      expires_at: utcOrNull(expires_at),
    })),

  items: ({ q }) =>
    mapPages(itemsOf(q), ({ in_flex, date_created, last_updated, ...row }) => ({
      ...row,
      in_flex: in_flex === 1,
      date_created: utcOrNull(date_created),
      ...(last_updated !== date_created && { last_updated: utcOrNull(last_updated) }),
    })),

  questions: ({ q, origin }) =>
    mapPages(questionsOf(q, origin), (row) => ({
      id: row.id,
      item_id: row.item_id,
      from_id: row.from_id,
      guest: row.guest === 1,
      text: row.text,
      status: row.status,
      date_created: utcOrNull(row.date_created),
      ...(row.answer_text !== null && {
        answer: {
          text: row.answer_text,
          ...(row.answer_status !== 'ACTIVE' && { status: row.answer_status }),
          date_created: utcOrNull(row.answered_at),
        },
      }),
      deleted_from_listing: row.deleted_from_listing === 1,
      hold: row.hold === 1,
      suspected_spam: row.suspected_spam === 1,
      hidden: row.hidden === 1,
      counted: row.counted === 1,
    })),

  blocked_buyers: ({ q }) =>
    mapPages(blocksOf(q), ({ seller_id, buyer_id, date_created }) => ({
      seller_id,
      buyer_id,
      date_created: utcOrNull(date_created),
    })),

  contacts: exportContacts,

  loans: ({ q }) =>
    mapPages(loansOf(q), ({ seller_id: _, date_created, expired, ...row }) => ({
      ...row,
      date_created: utcOrNull(date_created),
      expired: expired === 1,
    })),

  flex_subscriptions: ({ q }) =>
    mapPages(subscriptionsOf(q), ({ creation_date, delivery_ranges, zones, is_moderated, ...row }) => ({
      ...row,
      creation_date: utcOrNull(creation_date),
      delivery_ranges: JSON.parse(delivery_ranges),
      zones: JSON.parse(zones),
      is_moderated: is_moderated === 1,
    })),

  shipments: ({ q }) =>
    mapPages(shipmentsOf(q), ({ route_open, date_created, ...row }) => ({
      ...row,
      route_open: route_open === 1,
      date_created: utcOrNull(date_created),
    })),

  faults: ({ q }) => mapPages(faultsOf(q), (row) => presentFault({ ...row, action: JSON.parse(row.action) })),
}

const KIND_NAMES = Object.fromEntries(Object.entries(CONTACT_KIND_BY_NAME).map(([name, kind]) => [kind, name]))
const WEEK_MS = 7 * 24 * 3_600_000

/**
 * Contacts by seller, kind, week and listing: what belongs together stands together, and no more than a week of one
 * seller is in memory. Those that a question of the file stands for are left out.
 */
async function* exportContacts({ q, origin }: ExportContext): Rows {
  for (const { user_id } of await sellersWithContacts(q))
    for (const kind of CONTACT_KINDS) {
      let first = await firstContact(q, { user_id, kind, from: -Number.MAX_SAFE_INTEGER })
      while (first !== undefined) {
        const from = Math.floor(first / WEEK_MS) * WEEK_MS
        const range = { from, to: from + WEEK_MS }
        const questionCounts =
          kind === 'questions' ? await countQuestions(q, user_id, from + origin, range.to + origin) : new Map()
        const groups = new Map<string, [at: number, buyer: number | null][]>()
        for await (const rows of contactsOf(q, { user_id, kind, ...range })) {
          for (const { at, item_id, buyer_id } of rows) {
            const key = `${item_id} ${at + origin} ${buyer_id}`
            const remaining = questionCounts.get(key) ?? 0
            if (remaining > 0) questionCounts.set(key, remaining - 1)
            else if (groups.has(item_id)) groups.get(item_id)!.push([at, buyer_id])
            else groups.set(item_id, [[at, buyer_id]])
          }
          await new Promise(setImmediate)
        }
        for (const item_id of [...groups.keys()].sort())
          yield splitIntoElements(groups.get(item_id)!).map(({ times, buyers }) => ({
            kind: KIND_NAMES[kind],
            item_id,
            at: times.map((time) => utcMillis(time + origin)),
            ...(buyers.some((buyer) => buyer !== null) && { buyer_ids: buyers }),
          }))
        first = await firstContact(q, { user_id, kind, from: range.to })
      }
    }
}

/** In the order of time, then of buyers, in parts of what one element may hold. */
function splitIntoElements(contacts: [at: number, buyer: number | null][]) {
  contacts.sort(([a, one], [b, other]) => a - b || (one ?? -1) - (other ?? -1))
  return Array.from({ length: Math.ceil(contacts.length / MAX_INSTANTS) }, (_, n) => {
    const part = contacts.slice(n * MAX_INSTANTS, (n + 1) * MAX_INSTANTS)
    return { times: part.map(([at]) => at), buyers: part.map(([, buyer]) => buyer) }
  })
}

/** How many questions stand for contacts of the same listing, instant and buyer. */
async function countQuestions(q: Q, seller_id: number, from: number, to: number): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for await (const rows of questionTimesOf(q, { seller_id, from, to }))
    for (const { item_id, date_created, buyer_id } of rows) {
      const key = `${item_id} ${date_created} ${buyer_id}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  return counts
}
