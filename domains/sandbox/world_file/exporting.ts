import { timeIn } from '../../../db/clock.ts'
import type { Q } from '../../../db/engine.ts'
import { worldOfApplication, worldOfToken } from '../../../db/ids.ts'
import { CONTACT_KINDS } from '../../../db/schema/contacts.ts'
import { nonDefaultSwitches } from '../../../db/switches.ts'
import { readWorldRow } from '../../../db/world.ts'
import { listSettings } from '../../notifications/queries.ts'
import { utcMillis } from '../../shared/instants.ts'
import { present as presentFault } from '../fault_rules.ts'
import { writtenSetting } from '../notification_shapes.ts'
import {
  applicationsOf,
  askedOf,
  blocksOf,
  contacted,
  contactsOf,
  countersOf,
  faultsOf,
  firstContact,
  grantsOf,
  itemsOf,
  loansOf,
  questionsOf,
  shipmentsOf,
  subscriptionsOf,
  tokensOf,
  usersOf,
} from './queries.ts'
import { elementSchema, KINDS, LIST_NAMES, type ListName, MOST_INSTANTS } from './schema.ts'

interface Exported {
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
export async function* fileOf(q: Q): AsyncGenerator<string> {
  const world = await readWorldRow(q)
  const { id, origin, seed, clock_mode: mode } = world
  const now = timeIn({ mode, ms: world.clock_ms })
  const clock = mode === 'real' ? { mode } : { mode, now: utcMillis(now) }
  yield `{\n  "version": 1,\n${member('clock', clock)}${member('seed', seed)}${member('assumptions', nonDefaultSwitches(JSON.parse(world.switches)))}`
  const applications = (await applicationsOf(q)).sort(ownFirst(id))
  const positions = new Map(applications.map((application, n) => [application.id, n]))
  const exported = { q, id, origin, positions }
  for (const name of LIST_NAMES) {
    yield `  ${JSON.stringify(name)}: [`
    let separator = '\n'
    for await (const rows of LISTS[name](exported)) {
      let text = ''
      for (const row of rows) {
        text += `${separator}    ${JSON.stringify(withoutDefaults(name, row))}`
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
const ownFirst = (world: number) => {
  const isChosen = ({ id }: { id: number }) => (worldOfApplication(id) === world ? 0 : 1)
  return (a: { id: number }, b: { id: number }) => isChosen(a) - isChosen(b) || a.id - b.id
}

/** What has its default is left out. */
function withoutDefaults(name: ListName, row: object): object {
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

const at = (ms: number | null): string | null => (ms === null ? null : utcMillis(ms))

async function* each<Row>(pages: AsyncIterable<Row[]>, present: (row: Row) => object): Rows {
  for await (const rows of pages) yield rows.map(present)
}

const LISTS: Record<ListName, (exported: Exported) => Rows> = {
  users: ({ q }) =>
    each(usersOf(q), ({ address, tags, registration_date, ...row }) => ({
      ...row,
      address: JSON.parse(address),
      tags: JSON.parse(tags),
      registration_date: at(registration_date),
    })),

  // The world's own have neither id nor secret here: a world that is made of the file gives its own.
  async *applications({ q, id: world }) {
    const rows = (await applicationsOf(q)).sort(ownFirst(world))
    const told = new Map((await listSettings(q)).map((row) => [row.application_id, row]))
    yield rows.map(({ id, secret, name, redirect_uri }) => {
      const setting = told.get(id)
      return {
        ...(worldOfApplication(id) === world ? { number: id % 1e9 } : { id, secret }),
        name,
        redirect_uri,
        ...(setting && { notifications: writtenSetting(setting) }),
      }
    })
  },

  async *grants({ q, positions }) {
    for (const [id, application] of positions)
      yield* each(grantsOf(q, id), ({ user_id, date_created }) => ({
        user_id,
        application,
        date_created: at(date_created),
      }))
  },

  tokens: ({ q, id, positions }) =>
    each(tokensOf(q), ({ token, application_id, user_id, expires_at }) => ({
      user_id,
      application: positions.get(application_id),
      ...(worldOfToken(token) !== id && { token }),
      expires_at: at(expires_at),
    })),

  items: ({ q }) =>
    each(itemsOf(q), ({ in_flex, date_created, last_updated, ...row }) => ({
      ...row,
      in_flex: in_flex === 1,
      date_created: at(date_created),
      ...(last_updated !== date_created && { last_updated: at(last_updated) }),
    })),

  questions: ({ q, origin }) =>
    each(questionsOf(q, origin), (row) => ({
      id: row.id,
      item_id: row.item_id,
      from_id: row.from_id,
      guest: row.guest === 1,
      text: row.text,
      status: row.status,
      date_created: at(row.date_created),
      ...(row.answer_text !== null && {
        answer: {
          text: row.answer_text,
          ...(row.answer_status !== 'ACTIVE' && { status: row.answer_status }),
          date_created: at(row.answered_at),
        },
      }),
      deleted_from_listing: row.deleted_from_listing === 1,
      hold: row.hold === 1,
      suspected_spam: row.suspected_spam === 1,
      hidden: row.hidden === 1,
      counted: row.counted === 1,
    })),

  blocked_buyers: ({ q }) =>
    each(blocksOf(q), ({ seller_id, buyer_id, date_created }) => ({
      seller_id,
      buyer_id,
      date_created: at(date_created),
    })),

  contacts,

  loans: ({ q }) =>
    each(loansOf(q), ({ seller_id: _, date_created, expired, ...row }) => ({
      ...row,
      date_created: at(date_created),
      expired: expired === 1,
    })),

  flex_subscriptions: ({ q }) =>
    each(subscriptionsOf(q), ({ creation_date, delivery_ranges, zones, is_moderated, ...row }) => ({
      ...row,
      creation_date: at(creation_date),
      delivery_ranges: JSON.parse(delivery_ranges),
      zones: JSON.parse(zones),
      is_moderated: is_moderated === 1,
    })),

  shipments: ({ q }) =>
    each(shipmentsOf(q), ({ route_open, date_created, ...row }) => ({
      ...row,
      route_open: route_open === 1,
      date_created: at(date_created),
    })),

  faults: ({ q }) => each(faultsOf(q), (row) => presentFault({ ...row, action: JSON.parse(row.action) })),
}

const NAME_OF = Object.fromEntries(Object.entries(KINDS).map(([name, kind]) => [kind, name]))
const WEEK = 7 * 24 * 3_600_000

/**
 * Contacts by seller, kind, week and listing: what belongs together stands together, and no more than a week of one
 * seller is in memory. Those that a question of the file stands for are left out.
 */
async function* contacts({ q, origin }: Exported): Rows {
  for (const { user_id } of await contacted(q))
    for (const kind of CONTACT_KINDS) {
      let first = await firstContact(q, { user_id, kind, from: -Number.MAX_SAFE_INTEGER })
      while (first !== undefined) {
        const from = Math.floor(first / WEEK) * WEEK
        const stretch = { from, to: from + WEEK }
        const explained =
          kind === 'questions' ? await askedIn(q, user_id, from + origin, stretch.to + origin) : new Map()
        const groups = new Map<string, [at: number, buyer: number | null][]>()
        for await (const rows of contactsOf(q, { user_id, kind, ...stretch })) {
          for (const { at, item_id, buyer_id } of rows) {
            const key = `${item_id} ${at + origin} ${buyer_id}`
            const known = explained.get(key) ?? 0
            if (known > 0) explained.set(key, known - 1)
            else if (groups.has(item_id)) groups.get(item_id)!.push([at, buyer_id])
            else groups.set(item_id, [[at, buyer_id]])
          }
          await new Promise(setImmediate)
        }
        for (const item_id of [...groups.keys()].sort())
          yield grouped(groups.get(item_id)!).map(({ times, buyers }) => ({
            kind: NAME_OF[kind],
            item_id,
            at: times.map((time) => utcMillis(time + origin)),
            ...(buyers.some((buyer) => buyer !== null) && { buyer_ids: buyers }),
          }))
        first = await firstContact(q, { user_id, kind, from: stretch.to })
      }
    }
}

/** In the order of time, then of buyers, in parts of what one element may hold. */
function grouped(contacts: [at: number, buyer: number | null][]) {
  contacts.sort(([a, one], [b, other]) => a - b || (one ?? -1) - (other ?? -1))
  return Array.from({ length: Math.ceil(contacts.length / MOST_INSTANTS) }, (_, n) => {
    const part = contacts.slice(n * MOST_INSTANTS, (n + 1) * MOST_INSTANTS)
    return { times: part.map(([at]) => at), buyers: part.map(([, buyer]) => buyer) }
  })
}

/** How many questions stand for contacts of the same listing, instant and buyer. */
async function askedIn(q: Q, seller_id: number, from: number, to: number): Promise<Map<string, number>> {
  const asked = new Map<string, number>()
  for await (const rows of askedOf(q, { seller_id, from, to }))
    for (const { item_id, date_created, buyer_id } of rows) {
      const key = `${item_id} ${date_created} ${buyer_id}`
      asked.set(key, (asked.get(key) ?? 0) + 1)
    }
  return asked
}
