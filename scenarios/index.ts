import { randomBytes } from 'node:crypto'
import { constants, rmSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
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

/** A world that is laid out again: what its first layout took from chance and time. */
export interface Again {
  key: string
  /** Ms. */
  madeAt: number
}

/**
 * Lays a world out in `file`: the scenario's file, moved by whole weeks so that its history ends in the week of `now`,
 * without what lies after `now`, and with an application and tokens of its own. `templates` saves the moving.
 */
export async function layOut(
  file: string,
  id: number,
  { scenario, seed, now, secret, switches = {} }: Start,
  { templates, again }: { templates?: Templates; again?: Again } = {},
): Promise<void> {
  const instant = again?.madeAt ?? now ?? realNow()
  const origin = originAt(instant)
  if (templates) await templates.copy(scenario, seed, origin, file)
  else await moved(file, scenario, seed, origin)
  endAt(file, origin, instant)
  const engine = openSqlite(file, { durable: false })
  const key = again?.key ?? (secret ? randomKey() : derived(`${scenario} ${seed}`, `world ${id}`, 64))
  await engine.tx(async (q) => {
    await describeWorld(q, { id, scenario, seed, now, made_at: instant, origin, key, switches })
    await issueCredentials(q, { id, key }, MONDAY)
  })
  engine.close()
}

/** Nobody can guess it, nor what is derived from it. */
export const randomKey = (): string => randomBytes(32).toString('hex')

/** The Monday before an instant, 04:00Z, ms: times in the contact tables count from there. */
export const originAt = (instant: number): number => MONDAY + Math.floor((instant - MONDAY) / WEEK) * WEEK

/** Scenarios moved to a week, kept as files: a world is a copy of one. */
export interface Templates {
  copy(scenario: Scenario, seed: number, origin: number, file: string): Promise<void>
}

/** Weeks that are kept; tests freeze their worlds at a few. */
const MOST_TEMPLATES = 8

export function templatesIn(folder: string): Templates {
  const made = new Map<string, Promise<string>>()
  return {
    async copy(scenario, seed, origin, file) {
      const name = `template-${scenario}-${seed}-${origin}`
      const ready =
        made.get(name) ??
        (async () => {
          const path = join(folder, name)
          await moved(path, scenario, seed, origin)
          return path
        })()
      made.delete(name)
      made.set(name, ready)
      try {
        await copyFile(await ready, file, constants.COPYFILE_FICLONE)
      } catch (error) {
        made.delete(name)
        throw error
      }
      if (made.size <= MOST_TEMPLATES) return
      const [oldest, path] = made.entries().next().value!
      made.delete(oldest)
      rmSync(await path, { force: true })
    },
  }
}

/** Writes a scenario whose history ends in the week that begins at `origin`. */
async function moved(file: string, scenario: Scenario, seed: number, origin: number): Promise<void> {
  writeFileSync(file, await contents(scenario, seed), { mode: 0o600 })
  moveTo(file, origin)
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

function moveTo(file: string, origin: number): void {
  const by = origin - MONDAY
  if (by === 0) return
  const db = new Sqlite(file)
  db.pragma('synchronous = OFF')
  db.transaction(() => {
    for (const [table, columns] of Object.entries(TIMES))
      db.prepare(`UPDATE "${table}" SET ${columns.map((column) => `${column} = ${column} + :by`).join(', ')}`).run({
        by,
      })
  })()
  db.close()
}

/** Takes out of a world what has not happened yet at `now`. */
function endAt(file: string, origin: number, now: number): void {
  const db = new Sqlite(file)
  db.pragma('synchronous = OFF')
  db.transaction(() => {
    for (const table of ['question', 'credit_lead']) db.prepare(`DELETE FROM ${table} WHERE date_created > ?`).run(now)
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
