import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { TestApp } from '../../support/app.ts'
import type { Exchange } from '../exchange.ts'
import { serverOf } from '../server.ts'

/** The rows of each table in the order of their columns: their number, the first and the last one, a digest of all. */
function tablesOf(file: string, state: string): Exchange[] {
  const db = new Sqlite(file, { readonly: true })
  try {
    const tables = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`).pluck().all()
    return (tables as string[]).map((table) => {
      const order = (db.pragma(`table_info("${table}")`) as unknown[]).map((_, n) => n + 1)
      const rows = db.prepare(`SELECT * FROM "${table}" ORDER BY ${order}`).raw().all()
      const texts = rows.map((row) => JSON.stringify(row))
      const digest = createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 16)
      const shown = rows.length > 1 ? { first: rows[0], last: rows.at(-1) } : { first: rows[0] }
      return {
        call: `${state}: rows of ${table}`,
        body: { rows: rows.length, ...(rows.length > 0 && { ...shown, digest }) },
      }
    })
  } finally {
    db.close()
  }
}

type Prepare = (app: TestApp) => Promise<unknown>

/** What a new world contains: the default one, one that was copied from a template and moved in time, a fork, a load. */
const STATES: [state: string, world: number, scenario: 'demo' | 'empty', prepare: Prepare][] = [
  ['demo', 1, 'demo', async () => {}],
  [
    'demo of another week',
    2,
    'empty',
    ({ control }) => control('POST /worlds', { scenario: 'demo', seed: 1, now: '2026-01-31T23:59:59.999Z' }),
  ],
  ['fork', 2, 'empty', ({ control }) => control('POST /worlds', { from: 1 })],
]

export async function tables(): Promise<Exchange[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-recorded-'))
  const all: Exchange[] = []
  try {
    for (const [state, world, scenario, prepare] of STATES) {
      const { app, close } = await serverOf({ scenario })
      try {
        await prepare(app)
        const to = join(folder, state)
        const { status, text } = await app.control('POST /backup', { folder: to })
        if (status !== 201) throw new Error(text)
        all.push(...tablesOf(join(to, `world-${world}.sqlite`), state))
      } finally {
        await close()
      }
    }
    return all
  } finally {
    rmSync(folder, { recursive: true })
  }
}
