import type { DemoGenerator } from '../../demo.ts'
import { FIRST_QUESTION_ID, type question } from '../tables.ts'
import { type Draft, questionsOf } from './seller_questions.ts'

export const generateRows: DemoGenerator = (shops) => {
  const sellers = shops.map((shop) => questionsOf(shop, shop.random.fork('questions')))
  return {
    question: numberQuestions(sellers.flatMap(({ drafts }) => drafts)),
    blocked_buyer: sellers.flatMap(({ blocked }) => blocked),
  }
}

/** Assigns ids in the order of creation, and marks the first question of each buyer on each listing. */
function numberQuestions(drafts: Draft[]): (typeof question.$inferInsert)[] {
  const seen = new Set<string>()
  return drafts
    .sort((a, b) => a.date_created - b.date_created || a.seller_id - b.seller_id)
    .map((draft, i) => {
      const pair = `${draft.from_id} ${draft.item_id}`
      const first_of_buyer = seen.has(pair) ? 0 : 1
      seen.add(pair)
      return { id: FIRST_QUESTION_ID + i, ...draft, first_of_buyer }
    })
}
