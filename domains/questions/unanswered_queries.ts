import { sql } from 'drizzle-orm'
import type { Clock } from '../../db/clock.ts'
import { $, prepared, type Q } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import type { DueSource } from '../due.ts'
import { dueRows, monthsDelay } from '../shared/due_queries.ts'
import { addMonths } from '../shared/instants.ts'
import { UNANSWERED_LIFE } from './assumptions.ts'
import type { QuestionRow } from './queries.ts'
import { question } from './tables.ts'

const UNANSWERED_LIFE_MONTHS = 7
const HOUR = 3_600_000

type Clocked = Pick<World, 'switches'> & { clock: Pick<Clock, 'now' | 'hour'> }

/**
 * The instant, ms, before which questions that are still UNANSWERED are gone [spec: questions.unanswered_life];
 * undefined if none is. Reads the hour where that is enough: answers are then cached until the next hour.
 */
export async function unansweredSince(q: Q, world: Clocked): Promise<number | undefined> {
  if (UNANSWERED_LIFE.of(world) === 'forever') return undefined
  const startOfHour = addMonths(world.clock.hour(), -UNANSWERED_LIFE_MONTHS)
  const latest = await selectLatestBefore(q).one({ until: startOfHour + HOUR })
  if (!latest) return undefined
  return latest.date_created < startOfHour ? startOfHour : addMonths(world.clock.now(), -UNANSWERED_LIFE_MONTHS)
}
const selectLatestBefore = prepared(({ db }) =>
  db
    .select({ date_created: sql<number>`date_created`.as('date_created') })
    // SQLite would take the index of all questions of the status.
    .from(sql`${question} INDEXED BY question_unanswered`)
    .where(sql`status = 'UNANSWERED' AND date_created < ${$('until')}`)
    .orderBy(sql`date_created DESC`)
    .limit(1),
)

/** Whether a question was asked too long ago to be answered; reads the hour where that is enough, as above. */
export function isGone({ clock, switches }: Clocked, { status, date_created }: QuestionRow): boolean {
  if (status !== 'UNANSWERED' || UNANSWERED_LIFE.of({ switches }) === 'forever') return false
  const startOfHour = addMonths(clock.hour(), -UNANSWERED_LIFE_MONTHS)
  if (date_created < startOfHour || date_created >= startOfHour + HOUR) return date_created < startOfHour
  return date_created < addMonths(clock.now(), -UNANSWERED_LIFE_MONTHS)
}

/** [spec: questions.unanswered_life] */
export const due: readonly DueSource[] = [
  dueRows({
    kind: 'question',
    effect: 'gone',
    from: sql`${question} INDEXED BY question_unanswered`,
    time: question.date_created,
    delay: monthsDelay(UNANSWERED_LIFE_MONTHS),
    where: sql`${question.status} = 'UNANSWERED'`,
    columns: { id: question.id, user_id: question.seller_id },
    present: ({ id, user_id }) => ({ id, resource: `/questions/${id}`, user_id, application_id: null }),
    isActive: (world) => UNANSWERED_LIFE.of(world) !== 'forever',
  }),
]
