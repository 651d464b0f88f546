import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { $, prepared, type Q } from './engine.ts'

// Nothing here is random: a world derives what must look so from its key and a counter, so that the same seed, clock
// and calls give the same bytes. Worlds that others can reach have a random key.

/** `length` hex digits for one purpose; the same arguments give the same digits. */
export const derived = (key: string, purpose: string, length: number): string =>
  createHmac('sha256', key).update(purpose).digest('hex').slice(0, length)

/** The next number of a counter, from 1. */
export async function nextNumber(q: Q, name: string): Promise<number> {
  const row = await next(q).one({ name })
  return row!.n
}
const next = prepared(({ db, t }) =>
  db
    .insert(t.sequence)
    .values({ name: $('name'), n: 1 })
    .onConflictDoUpdate({ target: t.sequence.name, set: { n: sql`${t.sequence.n} + 1` } })
    .returning({ n: t.sequence.n }),
)

const HEAD = 8

/** The random part of a token: the world's number in 8 hex digits, then digits that only this world's key gives. */
export async function nextSecret(
  q: Q,
  world: { id: number; key: string },
  purpose: string,
  length: number,
): Promise<string> {
  const n = await nextNumber(q, purpose)
  return headOf(world.id) + derived(world.key, `${purpose} ${n}`, length - HEAD)
}

const headOf = (world: number): string => world.toString(16).padStart(HEAD, '0')

const TOKEN = /^(?:APP_USR-\d+-\d{6}-|TG-)([0-9a-f]{8})[0-9a-f]+-\d+$/

/** The number of the world that made this access token, code or refresh token; undefined when it has none. */
export function worldOfToken(token: string): number | undefined {
  const head = TOKEN.exec(token)?.[1]
  return head === undefined ? undefined : Number.parseInt(head, 16)
}

export const APPLICATIONS_PER_WORLD = 1e9

export const applicationId = (world: number, n: number): number => world * APPLICATIONS_PER_WORLD + n
export const worldOfApplication = (id: number): number => Math.floor(id / APPLICATIONS_PER_WORLD)
