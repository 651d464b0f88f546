import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { zstdDecompressSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { asset } from '../db/assets.ts'
import { realNow } from '../db/clock.ts'
import { openSqlite } from '../db/engine.sqlite.ts'
import { derived } from '../db/ids.ts'
import type { Switches } from '../db/switches.ts'
import { describeWorld } from '../db/world.ts'
import { issueCredentials } from '../domains/oauth/operations.ts'
import { MONDAY, type Scenario, SHIPPED_SEED } from './roster.ts'

const WEEK = 7 * 24 * 3_600_000

export interface Start {
  scenario: Scenario
  /** 0 to 2^53 − 1. */
  seed: number
  /** World time to freeze at, ms; null = real time. */
  now: number | null
  /** Others than this machine's programs can reach the world, or it is kept: its tokens must not be guessable. */
  secret: boolean
  switches?: Partial<Switches>
}

/**
 * Lays a world out in `file`: the scenario's file, moved by whole weeks so that its history ends in the week of `now`,
 * without what lies after `now`, and with an application and tokens of its own.
 */
export async function layOut(
  file: string,
  id: number,
  { scenario, seed, now, secret, switches = {} }: Start,
): Promise<void> {
  const instant = now ?? realNow()
  const origin = MONDAY + Math.floor((instant - MONDAY) / WEEK) * WEEK
  writeFileSync(file, await contents(scenario, seed), { mode: 0o600 })
  moveTo(file, origin, instant)
  const engine = openSqlite(file, { durable: false })
  const key = secret ? randomBytes(32).toString('hex') : derived(`${scenario} ${seed}`, `world ${id}`, 64)
  await engine.tx(async (q) => {
    await describeWorld(q, { id, scenario, seed, now, origin, key, switches })
    await issueCredentials(q, { id, key }, MONDAY)
  })
  engine.close()
}

async function contents(scenario: Scenario, seed: number): Promise<Buffer> {
  if (seed === SHIPPED_SEED) return zstdDecompressSync(asset(`${scenario}.sqlite.zst`))
  const { generate } = await import('./generate.ts')
  return generate(scenario, seed)
}

/** Columns that hold absolute times, by table. Contact tables count from the origin and stay as they are. */
const TIMES = {
  user: ['registration_date'],
  item: ['date_created', 'last_updated'],
  question: ['date_created', 'answered_at'],
  blocked_buyer: ['date_created'],
  credit_lead: ['date_created'],
  flex_subscription: ['creation_date'],
  shipment: ['date_created'],
} as const

function moveTo(file: string, origin: number, now: number): void {
  const db = new Sqlite(file)
  db.pragma('synchronous = OFF')
  db.transaction(() => {
    for (const table of ['question', 'credit_lead'])
      db.prepare(`DELETE FROM ${table} WHERE date_created > ?`).run(now + MONDAY - origin)
    const by = origin - MONDAY
    if (by !== 0)
      for (const [table, columns] of Object.entries(TIMES))
        db.prepare(`UPDATE "${table}" SET ${columns.map((column) => `${column} = ${column} + :by`).join(', ')}`).run({
          by,
        })
    // What was answered after now is not answered yet.
    db.prepare(
      `UPDATE question SET status = 'UNANSWERED', answer_text = NULL, answer_status = NULL, answered_at = NULL WHERE answered_at > ?`,
    ).run(now)
    const at = now - origin
    const hour = Math.floor(at / 3_600_000)
    db.prepare('DELETE FROM contact_event WHERE at > ?').run(at)
    for (const subject of ['item', 'user']) {
      const id = `${subject}_id`
      db.prepare(`DELETE FROM contact_${subject}_hour WHERE hour >= ?`).run(hour)
      db.prepare(
        `INSERT INTO contact_${subject}_hour (${id}, kind, hour, n)
         SELECT ${id}, kind, ${hour}, count(*) FROM contact_event WHERE at >= ? GROUP BY ${id}, kind`,
      ).run(hour * 3_600_000)
    }
  })()
  db.close()
}
