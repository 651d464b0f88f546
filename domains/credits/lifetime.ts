import type { Draft } from '../../db/sqlite/draft.ts'
import { addMonths, isoSeconds } from '../shared/instants.ts'
import type { LeadRow } from './tables.ts'

/** [spec: credits.expiry] */
export const LEAD_LIFETIME_DAYS = 30
export const LEAD_LIFETIME_MS = LEAD_LIFETIME_DAYS * 24 * 3_600_000
/** Maximum span of a search and maximum age of a lead in it [spec: credits.search.range, credits.search.age]. */
export const MAX_MONTHS = 3

/** The latest instant that a search from `since` may reach, ms. */
export const latestEnd = (since: number): number => addMonths(since, MAX_MONTHS)

/** The oldest creation date that a search at `now` finds, ms. */
export const oldestSearchable = (now: number): number => addMonths(now, -MAX_MONTHS)

/** Leads that were created until this instant, ms, are expired at `now`. */
export const expiredUntil = (now: number): number => now - LEAD_LIFETIME_MS

/** A lead expires after its lifetime, or early by a control call. */
export const isExpired = (lead: { date_created: number; expired: number }, now: number): boolean =>
  lead.expired === 1 || lead.date_created <= expiredUntil(now)

/** A row as answers have it at `now`; their schemas choose the members. */
export const presentLead = (row: LeadRow, now: number) => ({
  ...row,
  date_created: isoSeconds(row.date_created),
  expired: isExpired(row, now),
})

/** Deletes the leads created after `now` (world ms). */
export function trimHistory(draft: Draft, { now }: { now: number }): void {
  // The seller is named so that an index finds the rows.
  draft.run('DELETE FROM credit_lead WHERE seller_id IN (SELECT id FROM user) AND date_created > :now', { now })
}
