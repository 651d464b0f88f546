import { sql } from 'drizzle-orm'
import { settingAt } from '../../db/clock.ts'
import type { World } from '../../db/world.ts'
import type { ContactKind } from '../../domains/contacts/tables.ts'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR
export const KINDS: ContactKind[] = ['questions', 'phone_views', 'whatsapp']

interface Event {
  user_id: number
  kind: ContactKind
  /** World time, ms. */
  at: number
  seq: number
  item_id: string
  buyer_id: number | null
}

/** All recorded contacts of a world in order, the reference for all statistics. */
export const eventsOf = ({ read, origin }: World): Event[] =>
  read.db
    .all<Event>(sql`SELECT * FROM contact_event ORDER BY at, seq`)
    .map((event) => ({ ...event, at: event.at + origin }))

/** Counts one by one, as a reference for the statistics. */
export const countIn = (events: Event[], from: number, to: number): number =>
  events.filter(({ at }) => at >= from && at < to).length

/** The intervals from `from` on, counted one by one. */
export const countEach = (events: Event[], from: string, last: number, size: number) =>
  Array.from({ length: last }, (_, n) => {
    const at = Date.parse(from) + n * size
    return { date: utc(at), total: countIn(events, at, at + size) }
  })

/** `YYYY-MM-DDThh:mm:ssZ` */
export const utc = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`

/** Runs `action` with the world's clock frozen at `instant`, then restores the clock. */
export async function atTime<T>({ clock }: World, instant: string, action: () => Promise<T>): Promise<T> {
  const [mode, before] = [clock.mode, clock.now()]
  clock.applySetting({ mode: 'frozen', ms: Date.parse(instant) })
  try {
    return await action()
  } finally {
    clock.applySetting(settingAt(mode, before))
  }
}
