import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import { $, preparedBy, type Q } from '../../db/engine.ts'
import { type Paging, type SearchPage, splitPage } from '../../db/lists.ts'
import { withoutUndefined } from '../shared/texts.ts'
import type { LeadRow } from './queries.ts'
import { credit_lead, type LeadStatus } from './tables.ts'

/** Filters of `listLeads`; undefined ones do not apply. */
export interface LeadFilter {
  seller_id?: number | undefined
  buyer_id?: number | undefined
  status?: LeadStatus | undefined
  expired?: boolean | undefined
}

export interface LeadPaging extends Paging {
  /** The lead behind which the page begins. */
  cursor?: Pick<LeadRow, 'id' | 'date_created'> | undefined
  /** Leads that were created until then are expired, ms. */
  expiredUntil: number
}

/** Leads of all sellers and ages, newest first. */
export async function listLeads(
  q: Q,
  { expired, ...filter }: LeadFilter,
  { cursor, expiredUntil, limit, offset }: LeadPaging,
): Promise<SearchPage<LeadRow, string>> {
  const names = Object.keys(withoutUndefined(filter)).sort() as FilterName[]
  const values = { ...filter, expiredUntil }
  const total = await countLeads(q, names, values, expired)
  if (limit === 0) return { total, rows: [], next: null }
  const statement = selectLeads(q, { names, expired, hasCursor: cursor !== undefined })
  const after = cursor && { after_id: cursor.id, after_date: cursor.date_created }
  const rows = await statement.all({ ...values, ...after, limit: limit + 1, offset })
  return { total, ...splitPage(rows, limit, ({ id }) => id) }
}

type FilterName = Exclude<keyof LeadFilter, 'expired'>
const CONDITIONS: Record<FilterName, () => SQL> = {
  seller_id: () => eq(credit_lead.seller_id, $('seller_id')),
  buyer_id: () => eq(credit_lead.buyer_id, $('buyer_id')),
  status: () => eq(credit_lead.status, $('status')),
}
const isOld = () => sql`${credit_lead.date_created} <= ${$('expiredUntil')}`
const isYoung = () => sql`${credit_lead.date_created} > ${$('expiredUntil')}`

/** Counts in indexes only: those of an age, and those that are expired early. */
async function countLeads(
  q: Q,
  names: FilterName[],
  values: Omit<LeadFilter, 'expired'> & { expiredUntil: number },
  expired: boolean | undefined,
): Promise<number> {
  const count = async (kind: CountKind) => (await selectCount(q, { names, kind }).one(values))!.n
  if (expired === undefined) return count('all')
  const early = await count('early')
  return expired ? (await count('old')) + early : (await count('young')) - early
}

type CountKind = 'all' | 'old' | 'young' | 'early'
const selectCount = preparedBy(({ db }, { names, kind }: { names: FilterName[]; kind: CountKind }) =>
  db
    .select({ n: sql<number>`count(*)`.as('n') })
    .from(credit_lead)
    .where(
      and(
        // The unary plus leaves the index of leads that are expired early.
        ...names.map((name) => (kind === 'early' ? sql`+${CONDITIONS[name]()}` : CONDITIONS[name]())),
        kind === 'early' ? sql`${credit_lead.expired} = 1` : undefined,
        kind === 'all' ? undefined : kind === 'old' ? isOld() : isYoung(),
      ),
    ),
)

const selectLeads = preparedBy(
  ({ db }, { names, expired, hasCursor }: { names: FilterName[]; expired: boolean | undefined; hasCursor: boolean }) =>
    db
      .select()
      .from(credit_lead)
      .where(
        and(
          ...names.map((name) => CONDITIONS[name]()),
          expired === true ? sql`(${credit_lead.expired} = 1 OR +${isOld()})` : undefined,
          expired === false ? and(sql`${credit_lead.expired} = 0`, isYoung()) : undefined,
          hasCursor
            ? sql`${credit_lead.date_created} <= ${$('after_date')}
                AND (${credit_lead.date_created} < ${$('after_date')} OR ${credit_lead.id} > ${$('after_id')})`
            : undefined,
        ),
      )
      .orderBy(desc(credit_lead.date_created), asc(credit_lead.id))
      .limit($('limit'))
      .offset($('offset')),
)
