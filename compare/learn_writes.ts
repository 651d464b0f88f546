import type { Fact, Facts } from './facts.ts'
import { isObject, type Learn, learnItem, learnQuestion, list } from './learn_things.ts'

/** Only an active listing takes questions and answers. */
const learnActive = (facts: Facts, item_id: string, n: number): void =>
  facts.set('item', item_id, { exists: true, status: 'active' }, n - 0.5)

/** What a successful write shows: the state after it, and the one before it where no earlier answer has shown that. */
export const WRITE_LEARNERS: readonly [call: RegExp, Learn][] = [
  [
    /^PUT \/items\/\{item_id\}$/,
    (facts, { line: { n } }, json) => {
      const item = json as Fact
      if (typeof item.id === 'string' && !facts.has('item', item.id, 'status')) learnActive(facts, item.id, n)
      learnItem(facts, n, item)
    },
  ],
  [
    /^POST \/questions(\/\{question_id\})?$/,
    (facts, { line: { n } }, json) => {
      const question = json as Fact
      if (question.id !== undefined) facts.set('question', question.id, { exists: false }, n - 0.5)
      learnActive(facts, question.item_id, n)
      learnQuestion(facts, n, question, { unnamed: n })
    },
  ],
  [
    /^POST \/answers$/,
    (facts, { line: { n }, token }, json) => {
      const question = json as Fact
      const before = { ...question, status: 'UNANSWERED', answer: null }
      learnActive(facts, question.item_id, n)
      if (!facts.has('question', question.id, 'status')) learnQuestion(facts, n - 0.5, before, { token, unnamed: n })
      learnQuestion(facts, n, question, { token, unnamed: n })
    },
  ],
  [
    /^DELETE \/questions\/\{question_id\}$/,
    (facts, { line: { n }, token, route }) => {
      const id = route.params.question_id!
      if (!facts.has('question', id, 'status'))
        facts.set('question', id, { exists: true, status: 'UNANSWERED', hint_seller: token }, n - 0.5)
      facts.set('question', id, { status: 'DELETED', deleted_from_listing: true }, n)
    },
  ],
  [
    /^POST \/my\/questions\/hidden$/,
    (facts, { line: { n }, token }, json) => {
      for (const id of list((json as Fact).question_ids).map(String)) {
        if (!facts.has('question', id, 'hidden'))
          facts.set('question', id, { hidden: false, hint_seller: token }, n - 0.5)
        facts.set('question', id, { hidden: true }, n)
      }
    },
  ],
  [
    /^(POST|DELETE) .*questions_blacklist/,
    (facts, { line: { n }, method, route: { params } }, json) => {
      const buyer = params.buyer_id ?? (isObject(json) ? json.user_id : undefined)
      if (buyer === undefined) return
      const id = `${params.seller_id} ${buyer}`
      const isBlocked = method === 'POST'
      if (!facts.has('block', id, 'exists')) facts.set('block', id, { exists: !isBlocked, position: 0 }, n - 0.5)
      facts.set('block', id, { exists: isBlocked }, n)
    },
  ],
  [
    /^(POST|DELETE) .*(selfservice|flex)\/.*\{item_id\}/,
    (facts, { line: { n }, method, route: { params }, token }) => {
      const in_flex = method === 'POST'
      const id = params.item_id!
      if (!facts.has('item', id, 'in_flex')) facts.set('item', id, { in_flex: !in_flex, hint_seller: token }, n - 0.5)
      if (in_flex) facts.set('item', id, { is_offered: true, status: 'active' }, n - 0.5)
      facts.set('item', id, { in_flex }, n)
    },
  ],
]
