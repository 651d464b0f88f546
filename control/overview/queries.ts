import { and, eq, gte, inArray, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { $, prepared, type Q } from '../../db/engine.ts'
import { selectRows } from '../../db/rows.ts'
import { fault } from '../../db/tables.ts'
import { contact_user_hour, STATISTIC_KINDS, type StatisticKind } from '../../domains/contacts/tables.ts'
import { credit_lead } from '../../domains/credits/tables.ts'
import { flex_subscription } from '../../domains/flex/tables.ts'
import { item } from '../../domains/items/tables.ts'
import { notification, notification_topic } from '../../domains/notifications/tables.ts'
import { application } from '../../domains/oauth/tables.ts'
import { sale_order } from '../../domains/orders/tables.ts'
import { question } from '../../domains/questions/tables.ts'
import { user } from '../../domains/users/tables.ts'

// Counts come from one index: an overview is read every few seconds.

/** Counts rows by status; statuses without rows are left out. */
type StatusCount = (q: Q) => Promise<Map<string, number>>

function countByStatus(table: SQLiteTable, status: SQLiteColumn): StatusCount {
  const select = prepared(({ db }) =>
    db
      .select({ status: sql<string>`${status}`.as('status'), n: sql<number>`count(*)`.as('n') })
      .from(table)
      .groupBy(status),
  )
  return async (q) => new Map((await select(q).all()).map(({ status, n }) => [status, n]))
}

/** Of all rows, which SQLite counts by pages, those without another status than the commonest: an index has these. */
function countUncommon(table: SQLiteTable, status: SQLiteColumn, commonest: string, seek?: SQL): StatusCount {
  const others = status.enumValues!.filter((one) => one !== commonest)
  const count = (where?: SQL) => sql<number>`(SELECT count(*) FROM ${table}${where && sql` WHERE ${where}`})`
  const select = prepared(({ db }) =>
    db
      .select(
        Object.fromEntries([
          [commonest, count().as(commonest)],
          ...others.map((one) => [one, count(and(seek, eq(status, one))).as(one)]),
        ]),
      )
      .from(sql`(SELECT 1)`),
  )
  return async (q) => {
    const counts = new Map<string, number>(Object.entries((await select(q).one())!))
    const uncommon = others.reduce((sum, one) => sum + counts.get(one)!, 0)
    return counts.set(commonest, counts.get(commonest)! - uncommon)
  }
}

/** The different values of a column that an index begins with: one seek for each. */
function valuesOf(table: SQLiteTable, { name }: SQLiteColumn): SQL {
  const column = sql.identifier(name)
  return sql`(WITH RECURSIVE found(value) AS (
    SELECT min(${column}) FROM ${table}
    UNION ALL SELECT (SELECT min(${column}) FROM ${table} WHERE ${column} > found.value) FROM found WHERE value IS NOT NULL
  ) SELECT value FROM found WHERE value IS NOT NULL)`
}

const ofAnyApplication = inArray(notification.application_id, valuesOf(notification, notification.application_id))
const BY_STATUS = {
  questions: countByStatus(question, question.status),
  deliveries: countUncommon(notification, notification.status, 'delivered', ofAnyApplication),
  loans: countUncommon(credit_lead, credit_lead.status, 'approved'),
  flex: countByStatus(flex_subscription, flex_subscription.status),
}

/** Numbers of questions, notifications, leads or Flex subscriptions by status; 0 for the others of `statuses`. */
export async function statusCounts<Status extends string>(
  q: Q,
  name: keyof typeof BY_STATUS,
  statuses: readonly Status[],
): Promise<Record<Status, number>> {
  const counts = await BY_STATUS[name](q)
  return Object.fromEntries(statuses.map((status) => [status, counts.get(status) ?? 0])) as Record<Status, number>
}

const countRows = (table: SQLiteTable) =>
  prepared(({ db }) => db.select({ n: sql<number>`count(*)`.as('n') }).from(table))
const TOTALS = {
  applications: countRows(application),
  users: countRows(user),
  items: countRows(item),
  orders: countRows(sale_order),
}

export const totalOf = async (q: Q, name: keyof typeof TOTALS): Promise<number> => (await TOTALS[name](q).one())!.n

/** Contacts of all sellers by kind; the bounds are hours since the world's origin, inclusive. */
export async function contactCounts(
  q: Q,
  hours: { first: number; last: number },
): Promise<Record<StatisticKind, number>> {
  const rows = await sumContacts(q).all(hours)
  return { questions: 0, phone_views: 0, whatsapp: 0, ...Object.fromEntries(rows.map(({ kind, n }) => [kind, n])) }
}
// The key begins with the seller, and most rows are of earlier hours.
const sumContacts = prepared(({ db }) =>
  db
    .select({ kind: contact_user_hour.kind, n: sql<number>`sum(${contact_user_hour.n})`.as('n') })
    .from(contact_user_hour)
    .where(
      and(
        inArray(contact_user_hour.user_id, valuesOf(contact_user_hour, contact_user_hour.user_id)),
        inArray(contact_user_hour.kind, [...STATISTIC_KINDS]),
        gte(contact_user_hour.hour, $('first')),
        lte(contact_user_hour.hour, $('last')),
      ),
    )
    .groupBy(contact_user_hour.kind),
)

/** Fault rules, those that still apply, and the calls that were affected. */
export const faultCounts = async (q: Q) => (await countFaults(q).one())!
const isActive = and(sql`${fault.enabled} = 1`, or(isNull(fault.times), lt(fault.applied, fault.times)))
const countFaults = prepared(({ db }) =>
  db
    .select({
      rules: sql<number>`count(*)`.as('rules'),
      active: sql<number>`count(*) FILTER (WHERE ${isActive})`.as('active'),
      hits: sql<number>`coalesce(sum(${fault.applied}), 0)`.as('hits'),
    })
    .from(fault),
)

/** Topics that are switched off, of all applications; `off_at`: ms. */
export const topicsOff = (q: Q) => selectTopicsOff(q).all()
const selectTopicsOff = selectRows(
  notification_topic,
  {},
  { order: ['application_id', 'topic'], also: () => isNotNull(notification_topic.off_at) },
)
