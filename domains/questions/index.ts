import { describeTable } from '../../db/tables.ts'
import type { Domain } from '../domain.ts'
import { QUESTIONS } from './assumptions.ts'
import commands from './commands.ts'
import { blocked_buyer, FIRST_QUESTION_ID, question } from './tables.ts'
import { due } from './unanswered_queries.ts'
import { trimHistory } from './world_file_operations.ts'

export const questions: Domain = {
  name: 'questions',
  uses: { reads: ['items', 'users'], writes: ['contacts'] },
  routes: () => import('./routes.ts'),
  paths: ['questions', 'answers', 'my', 'users/*/questions', 'users/*/questions_blacklist'],
  control: () => import('./control/index.ts'),
  assumptions: QUESTIONS,
  topics: ['questions'],
  commands,
  due,
  tables: [
    describeTable(question, { times: { date_created: 'ms', answered_at: 'ms' }, firstId: FIRST_QUESTION_ID }),
    describeTable(blocked_buyer, { times: { date_created: 'ms' } }),
  ],
  demo: () => import('./demo/index.ts'),
  trimHistory,
}
