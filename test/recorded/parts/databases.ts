import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Exchange } from '../exchange.ts'
import { serverOf } from '../server.ts'

interface Made {
  type: string
  name: string
  sql: string | null
}

const written = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : Buffer.isBuffer(value) ? value.toString('hex') : value

/** The schema, and a digest of all rows of each table in the order of their columns. */
function contentsOf(file: string, name: string): Exchange[] {
  const db = new Sqlite(file, { readonly: true })
  try {
    const all = db.prepare('SELECT type, name, sql FROM sqlite_master ORDER BY type, name').all() as Made[]
    const schema = all.map(({ type, name, sql }) => `${type} ${name}: ${sql}`).join('\n')
    const tables = all.filter(({ type, sql }) => type === 'table' && sql !== null)
    const rows = tables.map(({ name: table }): Exchange => {
      const columns = db.pragma(`table_info("${table}")`) as unknown[]
      const order = columns.map((_, n) => n + 1)
      const digest = createHash('sha256')
      let count = 0
      for (const row of db.prepare(`SELECT * FROM "${table}" ORDER BY ${order}`).raw().safeIntegers().iterate()) {
        digest.update(`${JSON.stringify(row, written)}\n`)
        count++
      }
      return { plane: 'fixed', call: `${name}, rows of ${table}`, answer: `${count}\n${digest.digest('hex')}` }
    })
    return [{ plane: 'fixed', call: `${name}, schema`, answer: schema }, ...rows]
  } finally {
    db.close()
  }
}

/** Backups of new worlds: the default one, one created from a template, and a fork. */
export async function databaseContents(seed: number): Promise<Exchange[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-recorded-'))
  const all: Exchange[] = []
  try {
    for (const scenario of ['demo', 'empty'] as const) {
      const { app, close } = await serverOf({ scenario, seed })
      try {
        for (const now of ['2026-03-07T15:00:00Z', '2026-01-31T23:59:59.999Z'])
          await app.control('POST /worlds', { scenario, seed, now })
        await app.control('POST /worlds', { from: 2 })
        await app.control('POST /snapshots', { name: 'a' })
        const to = join(folder, scenario)
        const { status, text } = await app.control('POST /backup', { folder: to })
        if (status !== 201) throw new Error(text)
        const names = readdirSync(to).sort()
        all.push({ plane: 'fixed', call: `${scenario}, files`, answer: names.join('\n') })
        for (const name of names.filter((name) => name.endsWith('.sqlite')))
          all.push(...contentsOf(join(to, name), `${scenario}, ${name}`))
      } finally {
        await close()
      }
    }
    return all
  } finally {
    rmSync(folder, { recursive: true })
  }
}
