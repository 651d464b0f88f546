import { and, eq, sql } from 'drizzle-orm'
import { $, prepared, type Q, type Statement, turn, type Values } from '../../db/engine.ts'
import type { ContactKind } from '../../db/schema/contacts.ts'
import type { World } from '../../db/world.ts'

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

/** Records one contact and counts it, for its listing and for its seller. Call it inside `world.tx`. */
export async function recordContact(
  q: Q,
  { origin }: World,
  { kind, item_id, user_id, buyer_id, at }: Contact,
): Promise<void> {
  const since = at - origin
  const hour = Math.floor(since / HOUR)
  await insertEvent(q).run({ kind, item_id, user_id, buyer_id, at: since })
  await countForItem(q).run({ item_id, kind, hour, n: 1 })
  await countForUser(q).run({ user_id, kind, hour, n: 1 })
}

/** Rows that are written before others get their turn: a few milliseconds, where each lies in another page. */
const SLICE = 100

/**
 * Records any number of contacts, each `count` times at its instant. One unit, in which requests that only read are
 * served on; quickest when they come in the order of time. Call it inside `world.tx`.
 */
export async function recordContacts(
  q: Q,
  { origin }: World,
  contacts: readonly (Contact & { count: number })[],
): Promise<void> {
  const items = new Map<string, Hour<{ item_id: string }>>()
  const users = new Map<string, Hour<{ user_id: number }>>()
  // Looking up how many an instant has takes longer than writing a row: what is later than all others needs no look.
  // One look is needed for that; who has a single contact here has it while it is written.
  const numbered: Values[] = []
  const single: Values[] = []
  const write = async () => {
    await insertNumbered(q).runAll(numbered)
    await insertEvent(q).runAll(single)
    numbered.length = 0
    single.length = 0
    await turn()
  }
  let group = { user_id: Number.NaN, kind: '', at: Number.NaN, latest: 0, seq: 0 }
  const sorted = inOrder(contacts)
  for (const [place, { kind, item_id, user_id, buyer_id, at, count }] of sorted.entries()) {
    const since = at - origin
    const hour = Math.floor(since / HOUR)
    add(items, `${item_id} ${kind} ${hour}`, { item_id, kind, hour, n: count })
    add(users, `${user_id} ${kind} ${hour}`, { user_id, kind, hour, n: count })
    const isFirst = group.user_id !== user_id || group.kind !== kind
    const next = sorted[place + 1]
    if (isFirst && count === 1 && (next?.user_id !== user_id || next.kind !== kind))
      single.push({ kind, item_id, user_id, buyer_id, at: since })
    else {
      if (isFirst) group = { user_id, kind, at: Number.NaN, latest: await latestOf(q, user_id, kind), seq: 0 }
      if (group.at !== since) {
        group.at = since
        group.seq = since > group.latest ? 0 : (await nextSeq(q).one({ user_id, kind, at: since }))!.seq
      }
      for (let n = 0; n < count; n++) {
        numbered.push({ kind, item_id, user_id, buyer_id, at: since, seq: group.seq++ })
        if (numbered.length >= SLICE) await write()
      }
    }
    if (numbered.length + single.length >= SLICE) await write()
  }
  await write()
  await addHours(countForItem(q), items)
  await addHours(countForUser(q), users)
}

/** In the order of the table's key: neighbours lie in one page. */
const inOrder = <C extends Contact>(contacts: readonly C[]): C[] =>
  contacts.toSorted((a, b) => a.user_id - b.user_id || (a.kind === b.kind ? a.at - b.at : a.kind < b.kind ? -1 : 1))

const insertNumbered = prepared(({ db, t }) =>
  db.insert(t.contact_event).values({
    user_id: $('user_id'),
    kind: $('kind'),
    at: $('at'),
    seq: $('seq'),
    item_id: $('item_id'),
    buyer_id: $('buyer_id'),
  }),
)
const latestOf = async (q: Q, user_id: number, kind: ContactKind): Promise<number> =>
  (await latest(q).one({ user_id, kind }))!.at ?? Number.NEGATIVE_INFINITY
const latest = prepared(({ db, t: { contact_event: e } }) =>
  db
    .select({ at: sql<number | null>`max(${e.at})`.as('at') })
    .from(e)
    .where(and(eq(e.user_id, $('user_id')), eq(e.kind, $('kind')))),
)
const nextSeq = prepared(({ db, t: { contact_event: e } }) =>
  db
    .select({ seq: sql<number>`coalesce(max(${e.seq}) + 1, 0)`.as('seq') })
    .from(e)
    .where(and(eq(e.user_id, $('user_id')), eq(e.kind, $('kind')), eq(e.at, $('at')))),
)

type Hour<Subject> = Subject & { kind: ContactKind; hour: number; n: number }

function add<Subject>(hours: Map<string, Hour<Subject>>, key: string, fresh: Hour<Subject>): void {
  const known = hours.get(key)
  if (known) known.n += fresh.n
  else hours.set(key, fresh)
}

/** Adds what was counted, in the order of the keys. */
async function addHours(statement: Statement<unknown>, hours: Map<string, Values>): Promise<void> {
  const keys = [...hours.keys()].sort()
  for (let from = 0; from < keys.length; from += SLICE) {
    await statement.runAll(keys.slice(from, from + SLICE).map((key) => hours.get(key)!))
    await turn()
  }
}

const insertEvent = prepared(({ db, t: { contact_event: e } }) =>
  db.insert(e).values({
    user_id: $('user_id'),
    kind: $('kind'),
    at: $('at'),
    seq: sql`(SELECT coalesce(max(seq) + 1, 0) FROM ${e} WHERE user_id = ${$('user_id')} AND kind = ${$('kind')} AND at = ${$('at')})`,
    item_id: $('item_id'),
    buyer_id: $('buyer_id'),
  }),
)
const countForItem = prepared(({ db, t: { contact_item_hour: h } }) =>
  db
    .insert(h)
    .values({ item_id: $('item_id'), kind: $('kind'), hour: $('hour'), n: $('n') })
    .onConflictDoUpdate({ target: [h.item_id, h.kind, h.hour], set: { n: sql`${h.n} + excluded.n` } }),
)
const countForUser = prepared(({ db, t: { contact_user_hour: h } }) =>
  db
    .insert(h)
    .values({ user_id: $('user_id'), kind: $('kind'), hour: $('hour'), n: $('n') })
    .onConflictDoUpdate({ target: [h.user_id, h.kind, h.hour], set: { n: sql`${h.n} + excluded.n` } }),
)
