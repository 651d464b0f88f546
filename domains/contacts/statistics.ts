import type { ContactKind } from '../../db/schema/contacts.ts'
import type { World } from '../../db/world.ts'
import { badRequest } from '../../plugins/errors.ts'
import { instantOf } from '../shared/atoms.ts'
import { asSent, utcSeconds } from '../shared/instants.ts'
import { countBetween, countInBuckets, type Subject } from './queries.ts'
import { inOrder, TOTAL_ORDER, WINDOW_ORDER } from './schemas.ts'
import { filled, type Unit, windowOf } from './windows.ts'

/**
 * Reads the range of a total; 400 when a date is none or they stand the wrong way round. Answers dates as they were
 * sent.
 */
export function range({ date_from, date_to }: { date_from: string; date_to: string }) {
  const from = instantOf('date_from', date_from)
  const to = instantOf('date_to', date_to)
  if (from > to) throw badRequest('date_from: must not be after date_to')
  return {
    async total(world: World, kind: ContactKind, subject: Subject) {
      const total = await countBetween(world, kind, subject, from, to)
      const members = { date_from: asSent(date_from), date_to: asSent(date_to), total, subject: idOf(subject) }
      return inOrder<unknown>(TOTAL_ORDER[kind], nameOf(subject), members)
    },
  }
}

/** Years that these answers can write with four digits. */
const FIRST = Date.UTC(1000, 0)
const END = Date.UTC(9999, 11, 31)

/** Reads the window of a series; 400 when `ending` is no instant. */
export function series(world: World, asked: { last: number; unit: Unit; ending?: string; order?: string }) {
  const { clock, switches } = world
  const window = windowOf(
    asked.last,
    asked.unit,
    asked.ending !== undefined ? instantOf('ending', asked.ending) : clock.hour(),
    {
      dayOffset: switches['contacts.day_offset'],
      whole: asked.ending === undefined && switches['contacts.current_bucket'] === 'exclude',
    },
  )
  if (window.from < FIRST || window.to > END)
    throw badRequest('ending: must leave the window between the years 1000 and 9999')
  return {
    async of(kind: ContactKind, subject: Subject) {
      const counts = await countInBuckets(world, kind, subject, window)
      const results = filled(window, counts).map(({ at, total }) => ({ date: utcSeconds(at), total }))
      const members = {
        subject: idOf(subject),
        total: results.reduce((sum, { total }) => sum + total, 0),
        date_from: utcSeconds(window.from),
        date_to: utcSeconds(window.to),
        last: kind === 'whatsapp' ? String(asked.last) : asked.last,
        unit: asked.unit,
        results: asked.order === 'desc' ? results.reverse() : results,
      }
      return inOrder<unknown>(WINDOW_ORDER[kind], nameOf(subject), members)
    },
  }
}

const nameOf = ({ item_id }: Subject) => (item_id ? 'item_id' : 'user_id')
const idOf = ({ item_id, user_id }: Subject): string => item_id ?? String(user_id)
