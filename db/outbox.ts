import { lt, lte, or } from 'drizzle-orm'
import { $, prepared, type Q } from './engine.ts'
import type { Topic } from './schema/outbox.ts'

export interface Fact {
  topic: Topic
  /** The path of what changed. */
  resource: string
  /** Whose applications are told. */
  users: number[]
  /** World time. */
  at: number
}

const KEPT_ROWS = 100_000
const KEPT_MS = 2 * 24 * 3_600_000
const SWEEP_EVERY = 1_000

/** Writes a fact to be told, in the same unit as the change. Call it inside `world.tx`. */
export async function announce(q: Q, { topic, resource, users, at }: Fact): Promise<void> {
  const row = await insert(q).one({ topic, resource, user_ids: JSON.stringify([...new Set(users)]), at })
  if (row!.id % SWEEP_EVERY === 0) await sweep(q).run({ last: row!.id - KEPT_ROWS, before: at - KEPT_MS })
}
const insert = prepared(({ db, t }) =>
  db
    .insert(t.outbox)
    .values({ topic: $('topic'), resource: $('resource'), user_ids: $('user_ids'), at: $('at') })
    .returning({ id: t.outbox.id }),
)
const sweep = prepared(({ db, t }) =>
  db.delete(t.outbox).where(or(lte(t.outbox.id, $('last')), lt(t.outbox.at, $('before')))),
)

/** Forgets what is still to be told: a copied world has nobody to tell it to. */
export const forgetAll = (q: Q) => deleteAll(q).run()
const deleteAll = prepared(({ db, t }) => db.delete(t.outbox))
