import { sql } from 'drizzle-orm'
import type { DueSource } from '../due.ts'
import { dueRows, monthsDelay } from '../shared/due_queries.ts'
import { UNANSWERED_LIFE } from './assumptions.ts'
import { question } from './tables.ts'
import { UNANSWERED_LIFE_MONTHS } from './unanswered_queries.ts'

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
