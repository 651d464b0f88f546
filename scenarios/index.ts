import { randomBytes } from 'node:crypto'
import { createWriteStream, writeFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { readAsset } from '../db/assets.ts'
import { realNow } from '../db/clock.ts'
import { derived } from '../db/ids.ts'
import { type Draft, openDraft } from '../db/sqlite/engine.ts'
import { type Switches, writeWorldRow } from '../db/world.ts'
import { CONTACT_KINDS } from '../domains/contacts/tables.ts'
import { type Credentials, readCredentials } from '../domains/oauth/credentials.ts'
import { issueCredentials } from '../domains/oauth/operations.ts'
import { MONDAY, type Scenario, SHIPPED_SEED } from './names.ts'
import type { Templates } from './templates.ts'

const WEEK = 7 * 24 * 3_600_000

export interface Start {
  scenario: Scenario
  /** 0 to 2^53 − 1. */
  seed: number
  /** World time to freeze at, ms; null = real time. */
  now: number | null
  /** Others than this machine's programs can reach the world, or it is kept: its tokens must not be guessable. */
  secret: boolean
  switches?: Switches
}

/** A world that is laid out again: what its first layout took from chance and time. */
export interface CreationRecord {
  key: string
  /** Ms. */
  createdAt: number
}

/**
 * Lays a world out in `file`: the scenario's file, moved by whole weeks so that its history ends in the week of `now`,
 * without what lies after `now`, and with an application and tokens of its own, which it answers. `templates` saves
 * most of the work.
 */
export async function populate(
  file: string,
  id: number,
  { scenario, seed, now, secret, switches = {} }: Start,
  { templates, creation }: { templates?: Templates; creation?: CreationRecord } = {},
): Promise<Credentials> {
  const instantAsked = creation?.createdAt ?? now ?? undefined
  const { instant, ended: isTrimmed } = templates
    ? await templates.copy({ scenario, seed, instant: instantAsked }, file)
    : await writeWeek(file, { scenario, seed, instant: instantAsked ?? realNow() })
  const origin = originAt(instant)
  const key = creation?.key ?? (secret ? randomKey() : derived(`${scenario} ${seed}`, `world ${id}`, 64))
  const draft = openDraft(file)
  try {
    if (!isTrimmed) trimHistory(draft, origin, instant)
    await writeWorldRow(draft.q, { id, scenario, seed, now, made_at: instant, origin, key, switches })
    await issueCredentials(draft.q, { id, key }, MONDAY)
    return await readCredentials(draft.q)
  } finally {
    draft.close()
  }
}

/** Nobody can guess it, nor what is derived from it. */
export const randomKey = (): string => randomBytes(32).toString('hex')

/** The Monday before an instant, 04:00Z, ms: times in the contact tables count from there. */
export const originAt = (instant: number): number => MONDAY + Math.floor((instant - MONDAY) / WEEK) * WEEK

/** A scenario's history up to an instant, ms. */
export interface HistorySpec {
  scenario: Scenario
  seed: number
  instant: number
}

/** Writes a scenario whose history ends in the week of the instant, the days to come with it. */
export async function writeWeek(
  file: string,
  { scenario, seed, instant }: HistorySpec,
): Promise<{ instant: number; ended: false }> {
  await writeScenario(file, scenario, seed)
  shiftTimes(file, originAt(instant))
  return { instant, ended: false }
}

/** Takes out of a week what has not happened yet. */
export function trimFile(file: string, instant: number): void {
  const draft = openDraft(file)
  trimHistory(draft, originAt(instant), instant)
  draft.close()
}

async function writeScenario(file: string, scenario: Scenario, seed: number): Promise<void> {
  const mode = 0o600
  if (seed === SHIPPED_SEED) {
    // Piece by piece: the memory for the whole would not be given back.
    const decompressed = createZstdDecompress({ chunkSize: 256 * 1024 })
    decompressed.end(readAsset(`${scenario}.sqlite.zst`))
    return pipeline(decompressed, createWriteStream(file, { mode }))
  }
  const { generate } = await import('./generate.ts')
  writeFileSync(file, generate(scenario, seed), { mode })
}

/** Columns that hold absolute times, by table. Contact tables count from the origin and stay as they are. */
const TIME_COLUMNS = {
  user: ['registration_date'],
  item: ['date_created', 'last_updated'],
  question: ['date_created', 'answered_at'],
  blocked_buyer: ['date_created'],
  credit_lead: ['date_created'],
  flex_subscription: ['creation_date'],
  shipment: ['date_created'],
} as const

const COUNTER_COLUMNS = [
  ['question_day', 'day', WEEK / 7],
  ['response_hour', 'hour', WEEK / 7 / 24],
] as const

function shiftTimes(file: string, origin: number): void {
  const offset = origin - MONDAY
  if (offset === 0) return
  const draft = openDraft(file)
  for (const [table, columns] of Object.entries(TIME_COLUMNS))
    draft.run(`UPDATE "${table}" SET ${columns.map((column) => `${column} = ${column} + :by`).join(', ')}`, {
      by: offset,
    })
  // What is counted by day and hour moves with the questions; by way of numbers below 0, where keys cannot collide.
  for (const [table, column, unit] of COUNTER_COLUMNS) {
    draft.run(`UPDATE ${table} SET ${column} = -${column}`)
    draft.run(`UPDATE ${table} SET ${column} = :by - ${column}`, { by: offset / unit })
  }
  draft.run('UPDATE response_hour SET latest = latest + :by', { by: offset })
  draft.close()
}

/**
 * Takes out of a world what has not happened yet at `now`. Subjects and kinds are listed so that the keys find the
 * rows.
 */
function trimHistory(draft: Draft, origin: number, now: number): void {
  draft.run('DELETE FROM question WHERE seller_id IN (SELECT id FROM user) AND date_created > :now', { now })
  draft.run('DELETE FROM credit_lead WHERE seller_id IN (SELECT id FROM user) AND date_created > :now', { now })
  // What was answered after now is not answered yet.
  draft.run(
    `UPDATE question SET status = 'UNANSWERED', answer_text = NULL, answer_status = NULL, answered_at = NULL
     WHERE answered_at > :now`,
    { now },
  )
  const at = now - origin
  const hour = Math.floor(at / 3_600_000)
  const start = hour * 3_600_000
  const kinds = CONTACT_KINDS.map((kind) => `'${kind}'`).join(', ')
  const contactFilter = `user_id IN (SELECT id FROM user) AND kind IN (${kinds})`
  draft.run(`DELETE FROM contact_event WHERE ${contactFilter} AND at > :at`, { at })
  for (const subject of ['item', 'user']) {
    const id = `${subject}_id`
    draft.run(
      `DELETE FROM contact_${subject}_hour WHERE ${id} IN (SELECT id FROM ${subject}) AND kind IN (${kinds}) AND hour >= :hour`,
      { hour },
    )
    draft.run(
      `INSERT INTO contact_${subject}_hour (${id}, kind, hour, n)
       SELECT ${id}, kind, :hour, count(*) FROM contact_event WHERE ${contactFilter} AND at >= :start GROUP BY ${id}, kind`,
      { hour, start },
    )
  }
}
