import { and, eq, sql } from 'drizzle-orm'
import { $, prepared, preparedSql, type Q, type Statement, type Values, yieldToEventLoop } from '../../db/engine.ts'
import { columnValues } from '../../db/rows.ts'
import type { Draft } from '../../db/sqlite/draft.ts'
import type { World } from '../../db/world.ts'
import { CONTACT_KINDS, type ContactKind, contact_event } from './tables.ts'
import { watchContacts } from './watch.ts'

export interface Contact {
  kind: ContactKind
  item_id: string
  /** The seller of the listing. */
  user_id: number
  /** null for a guest. */
  buyer_id: number | null
  /** World time, ms. */
  at: number
}

const HOUR = 3_600_000

/** Records one contact and counts it for its listing and its seller. Call it inside `world.tx`. */
export async function recordContact(q: Q, { origin, generation }: World, contact: Contact): Promise<void> {
  const { kind, item_id, user_id, buyer_id, at } = contact
  const sinceOrigin = at - origin
  const hour = Math.floor(sinceOrigin / HOUR)
  await insertEvent(q).run({ kind, item_id, user_id, buyer_id, at: sinceOrigin })
  await countForItem(q).run({ item_id, kind, hour, n: 1 })
  await countForUser(q).run({ user_id, kind, hour, n: 1 })
  watchContacts(q, generation, [contact])
}

/** Rows per batch; between batches other requests run. A batch takes a few milliseconds in the worst case. */
const BATCH_SIZE = 100

/**
 * Records any number of contacts, each `count` times at its instant, in one transaction; other requests can read
 * meanwhile. Fastest for contacts in the order of time. Call it inside `world.tx`.
 */
export async function recordContacts(
  q: Q,
  { origin, generation }: Pick<World, 'origin'> & Partial<Pick<World, 'generation'>>,
  contacts: readonly (Contact & { count: number })[],
): Promise<void> {
  const rows: Values[] = []
  const flush = async () => {
    await insertNumbered(q).runAll(rows)
    rows.length = 0
    await yieldToEventLoop()
  }
  const byUser = contacts.toSorted((a, b) => a.user_id - b.user_id || compareByTime(a, b))
  // The query for the next seq costs more than the insert: a contact later than all stored ones starts at 0 without it.
  let group = { user_id: Number.NaN, kind: '', at: Number.NaN, latest: 0, seq: 0 }
  for (const { kind, item_id, user_id, buyer_id, at, count } of byUser) {
    const sinceOrigin = at - origin
    if (group.user_id !== user_id || group.kind !== kind)
      group = { user_id, kind, at: Number.NaN, latest: await latestAt(q, user_id, kind), seq: 0 }
    if (group.at !== sinceOrigin) {
      group.at = sinceOrigin
      group.seq = sinceOrigin > group.latest ? 0 : (await nextSeq(q).one({ user_id, kind, at: sinceOrigin }))!.seq
    }
    for (let n = 0; n < count; n++) {
      rows.push({ kind, item_id, user_id, buyer_id, at: sinceOrigin, seq: group.seq++ })
      if (rows.length === BATCH_SIZE) await flush()
    }
  }
  await flush()
  await addHourCounts(countForUser(q), byUser, 'user_id', origin)
  const byItem = contacts.toSorted((a, b) => compareText(a.item_id, b.item_id) || compareByTime(a, b))
  await addHourCounts(countForItem(q), byItem, 'item_id', origin)
  watchContacts(q, generation, contacts)
}

/** Contacts that a contact writer records at a time. */
const WRITER_BATCH_SIZE = 2000

/** Records the contacts that are added in batches; `flush` records the last ones. Use it inside `world.tx`. */
export function createContactWriter(q: Q, world: Pick<World, 'origin'>) {
  let pending: (Contact & { count: number })[] = []
  const flush = async () => {
    const batch = pending
    pending = []
    await recordContacts(q, world, batch)
  }
  return {
    async add(contact: Contact, count = 1): Promise<void> {
      pending.push({ ...contact, count })
      if (pending.length === WRITER_BATCH_SIZE) await flush()
    },
    flush,
  }
}

// The order of the primary keys: consecutive rows are in the same page of the file.
const compareByTime = (a: Contact, b: Contact): number => compareText(a.kind, b.kind) || a.at - b.at
const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

/** Adds the contacts to the counts per subject, kind and hour; `contacts` are sorted in this order. */
async function addHourCounts(
  statement: Statement<unknown>,
  contacts: readonly (Contact & { count: number })[],
  subject: 'user_id' | 'item_id',
  origin: number,
): Promise<void> {
  let rows: { id: number | string; kind: ContactKind; hour: number; n: number }[] = []
  const flush = async () => {
    await statement.runAll(rows.map(({ id, ...counted }) => ({ [subject]: id, ...counted })))
    rows = []
    await yieldToEventLoop()
  }
  for (const { [subject]: id, kind, at, count } of contacts) {
    const hour = Math.floor((at - origin) / HOUR)
    const last = rows.at(-1)
    if (last && last.id === id && last.kind === kind && last.hour === hour) last.n += count
    else {
      if (rows.length === BATCH_SIZE) await flush()
      rows.push({ id, kind, hour, n: count })
    }
  }
  await flush()
}

const insertNumbered = prepared(({ db }) => db.insert(contact_event).values(columnValues(contact_event)))
const latestAt = async (q: Q, user_id: number, kind: ContactKind): Promise<number> =>
  (await selectLatestAt(q).one({ user_id, kind }))!.at ?? Number.NEGATIVE_INFINITY
const selectLatestAt = prepared(({ db }) =>
  db
    .select({ at: sql<number | null>`max(${contact_event.at})`.as('at') })
    .from(contact_event)
    .where(and(eq(contact_event.user_id, $('user_id')), eq(contact_event.kind, $('kind')))),
)
const nextSeq = prepared(({ db }) =>
  db
    .select({ seq: sql<number>`coalesce(max(${contact_event.seq}) + 1, 0)`.as('seq') })
    .from(contact_event)
    .where(
      and(eq(contact_event.user_id, $('user_id')), eq(contact_event.kind, $('kind')), eq(contact_event.at, $('at'))),
    ),
)

const insertEvent = prepared(({ db }) =>
  db.insert(contact_event).values({
    ...columnValues(contact_event),
    seq: sql`(SELECT coalesce(max(seq) + 1, 0) FROM ${contact_event} WHERE user_id = ${$('user_id')} AND kind = ${$('kind')} AND at = ${$('at')})`,
  }),
)
/** Adds `n`, which may be negative, to the count of an hour. */
const countFor = (subject: 'item' | 'user') =>
  preparedSql(
    `INSERT INTO contact_${subject}_hour (${subject}_id, kind, hour, n) VALUES (:${subject}_id, :kind, :hour, :n)
     ON CONFLICT DO UPDATE SET n = n + excluded.n`,
    { writesAt: 'hour' },
  )
export const countForItem = countFor('item')
/** For all listings of a seller. */
export const countForUser = countFor('user')

// Subjects and kinds are named so that the keys of the tables find the rows.
const KINDS = CONTACT_KINDS.map((kind) => `'${kind}'`).join(', ')
const EVENTS = `user_id IN (SELECT id FROM user) AND kind IN (${KINDS})`

/** Deletes the contacts after `now` (world ms), and counts those of its hour again. */
export function trimHistory(draft: Draft, { now, origin }: { now: number; origin: number }): void {
  const at = now - origin
  const hour = Math.floor(at / HOUR)
  draft.run(`DELETE FROM contact_event WHERE ${EVENTS} AND at > :at`, { at })
  for (const subject of ['item', 'user']) {
    const id = `${subject}_id`
    draft.run(
      `DELETE FROM contact_${subject}_hour
       WHERE ${id} IN (SELECT id FROM ${subject}) AND kind IN (${KINDS}) AND hour >= :hour`,
      { hour },
    )
    draft.run(
      `INSERT INTO contact_${subject}_hour (${id}, kind, hour, n)
       SELECT ${id}, kind, :hour, count(*) FROM contact_event WHERE ${EVENTS} AND at >= :start GROUP BY ${id}, kind`,
      { hour, start: hour * HOUR },
    )
  }
}
