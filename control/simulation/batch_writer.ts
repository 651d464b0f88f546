import { type Q, yieldToEventLoop } from '../../db/engine.ts'
import type { World } from '../../db/world.ts'
import type { CountedContact } from '../../domains/contacts/control/contact_body.ts'
import { recordContacts } from '../../domains/contacts/operations.ts'
import type { StatisticKind } from '../../domains/contacts/tables.ts'
import { nextGuestId } from '../../domains/questions/control_operations.ts'
import { insertQuestion, publishQuestions, storeAnswer } from '../../domains/questions/operations.ts'
import type { QuestionRow } from '../../domains/questions/queries.ts'
import { UNANSWERED_DEFAULTS } from '../../domains/questions/tables.ts'
import type { TrafficEvent } from '../../scenarios/traffic.ts'

/** Contacts and changes per unit: a unit takes some milliseconds. */
const BATCH_SIZE = 300

type QuestionDraft = Extract<TrafficEvent, { kind: 'questions' }>['question']

/** A question of the simulation; `id` is set when it is inserted. */
interface SimulatedQuestion extends QuestionDraft {
  id?: number
}

/** A change of a question, at an instant of world time, ms. */
export interface Change {
  kind: 'asked' | 'answered'
  at: number
  question: SimulatedQuestion
}

/** Adds a question, answered or not; its times are relative to the origin. */
export function changesOf(draft: QuestionDraft, origin: number): Change[] {
  const question: SimulatedQuestion = { ...draft }
  const asked: Change = { kind: 'asked', at: draft.date_created + origin, question }
  if (draft.answered_at === null) return [asked]
  return [asked, { kind: 'answered', at: draft.answered_at + origin, question }]
}

interface AppliedChange {
  question: QuestionRow
  at: number
}

/**
 * Applies the changes in this order; a question that is answered in the same unit is written once. Returns the changes.
 */
async function applyChanges(q: Q, changes: readonly Change[]): Promise<AppliedChange[]> {
  const answerTimes = new Map(
    changes.flatMap(({ kind, at, question }) => (kind === 'answered' ? [[question, at]] : [])),
  )
  const insertedRows = new Map<SimulatedQuestion, QuestionRow>()
  const applied: AppliedChange[] = []
  for (const change of changes) {
    const { kind, question } = change
    if (kind === 'asked') insertedRows.set(question, await insertAsked(q, change, answerTimes.get(question)))
    const row = insertedRows.get(question) ?? (await insertAnswer(q, change))
    if (row) applied.push({ question: row, at: change.at })
  }
  return applied
}

async function insertAsked(q: Q, { at, question }: Change, answered_at: number | undefined): Promise<QuestionRow> {
  const { seller_id, item_id, text, status, answer_text, answer_status } = question
  const from_id = question.from_id ?? (await nextGuestId(q))
  const state =
    answered_at === undefined
      ? UNANSWERED_DEFAULTS
      : { ...UNANSWERED_DEFAULTS, status, answer_text, answer_status, answered_at }
  const row = await insertQuestion(q, { ...state, seller_id, item_id, from_id, text, date_created: at })
  question.id = row.id
  return row
}

/** Undefined if the question was answered or deleted in the meantime. */
const insertAnswer = (q: Q, { at, question: { id, answer_text } }: Change): Promise<QuestionRow | undefined> =>
  storeAnswer(q, { id: id!, text: answer_text!, at })

const contactOf = ({ at, question: { item_id, seller_id: user_id, from_id: buyer_id } }: Change): CountedContact => ({
  kind: 'questions',
  item_id,
  user_id,
  buyer_id,
  at,
  count: 1,
})

/** Writes contacts and changes in units of a few hundred; the events of a change are in its unit. */
export function createBatchWriter(world: World, notify: boolean, totals: Record<StatisticKind | 'answered', number>) {
  let contacts: CountedContact[] = []
  let changes: Change[] = []

  async function write(): Promise<void> {
    const asked = changes.filter(({ kind }) => kind === 'asked')
    const counted = [...contacts, ...asked.map(contactOf)]
    const batch = changes
    contacts = []
    changes = []
    const appliedCount = await world.tx(async (q) => {
      const applied = await applyChanges(q, batch)
      await yieldToEventLoop()
      if (notify) await publishQuestions(q, applied, world.clock.now())
      await recordContacts(q, world, counted)
      return applied.length
    })
    for (const { kind } of counted) if (kind !== 'visits') totals[kind]++
    totals.answered += appliedCount - asked.length
  }
  const isFull = (): boolean => contacts.length + changes.length >= BATCH_SIZE

  return {
    async addContact(contact: CountedContact): Promise<void> {
      contacts.push(contact)
      if (isFull()) await write()
    },
    async addChange(change: Change): Promise<void> {
      changes.push(change)
      if (isFull()) await write()
    },
    /** Writes the last unit. */
    flush: write,
  }
}
