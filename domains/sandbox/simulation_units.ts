import { type Q, yieldToEventLoop } from '../../db/engine.ts'
import type { ContactKind } from '../../db/schema/contacts.ts'
import type { World } from '../../db/world.ts'
import type { TrafficEvent } from '../../scenarios/traffic.ts'
import { recordContacts } from '../contacts/operations.ts'
import { nextGuestId } from '../questions/control_operations.ts'
import { UNANSWERED_DEFAULTS, insertQuestion, storeAnswer, publishQuestions } from '../questions/operations.ts'
import type { QuestionRow } from '../questions/queries.ts'
import type { Counted } from './contact_bodies.ts'

/** Contacts and changes of a unit: with their texts they take some milliseconds. */
const SLICE = 300

type Draft = Extract<TrafficEvent, { kind: 'questions' }>['question']

/** A question of the simulation; it has its number as soon as it has been asked. */
interface Asked extends Draft {
  id?: number
}

/** What happens to a question, at an instant of the world, ms. */
export interface Change {
  what: 'asked' | 'answered'
  at: number
  question: Asked
}

/** A question whose times count from the origin is asked, and maybe answered. */
export function changesOf(draft: Draft, origin: number): Change[] {
  const question: Asked = { ...draft }
  const asked: Change = { what: 'asked', at: draft.date_created + origin, question }
  if (draft.answered_at === null) return [asked]
  return [asked, { what: 'answered', at: draft.answered_at + origin, question }]
}

interface Happened {
  question: QuestionRow
  at: number
}

/**
 * Does what is to happen, in this order; what is answered in the same unit is written once. Answers what has happened.
 */
async function carryOut(q: Q, changes: readonly Change[]): Promise<Happened[]> {
  const answers = new Map(changes.flatMap(({ what, at, question }) => (what === 'answered' ? [[question, at]] : [])))
  const written = new Map<Asked, QuestionRow>()
  const happened: Happened[] = []
  for (const change of changes) {
    const { what, question } = change
    if (what === 'asked') written.set(question, await ask(q, change, answers.get(question)))
    const row = written.get(question) ?? (await answer(q, change))
    if (row) happened.push({ question: row, at: change.at })
  }
  return happened
}

async function ask(q: Q, { at, question }: Change, answered_at: number | undefined): Promise<QuestionRow> {
  const { seller_id, item_id, text, status, answer_text, answer_status } = question
  const from_id = question.from_id ?? (await nextGuestId(q))
  const state = answered_at === undefined ? UNANSWERED_DEFAULTS : { ...UNANSWERED_DEFAULTS, status, answer_text, answer_status, answered_at }
  const row = await insertQuestion(q, { ...state, seller_id, item_id, from_id, text, date_created: at })
  question.id = row.id
  return row
}

/** Undefined where somebody else has answered or deleted it meanwhile. */
const answer = (q: Q, { at, question: { id, answer_text } }: Change): Promise<QuestionRow | undefined> =>
  storeAnswer(q, { id: id!, text: answer_text!, at })

const contactOf = ({ at, question: { item_id, seller_id: user_id, from_id: buyer_id } }: Change): Counted => ({
  kind: 'questions',
  item_id,
  user_id,
  buyer_id,
  at,
  count: 1,
})

/**
 * Writes contacts and changes in units, of some hundred each; what happens to a question is counted and told in its
 * own.
 */
export function recorder(world: World, notify: boolean, done: Record<ContactKind | 'answered', number>) {
  let contacts: Counted[] = []
  let changes: Change[] = []

  async function write(): Promise<void> {
    const asked = changes.filter(({ what }) => what === 'asked')
    const counted = [...contacts, ...asked.map(contactOf)]
    const toDo = changes
    contacts = []
    changes = []
    const happened = await world.tx(async (q) => {
      const happened = await carryOut(q, toDo)
      await yieldToEventLoop()
      if (notify) await publishQuestions(q, happened, world.clock.now())
      await recordContacts(q, world, counted)
      return happened.length
    })
    for (const { kind } of counted) done[kind]++
    done.answered += happened - asked.length
  }
  const isFull = (): boolean => contacts.length + changes.length >= SLICE

  return {
    async contact(contact: Counted): Promise<void> {
      contacts.push(contact)
      if (isFull()) await write()
    },
    async change(change: Change): Promise<void> {
      changes.push(change)
      if (isFull()) await write()
    },
    /** Writes what is left. */
    end: write,
  }
}
