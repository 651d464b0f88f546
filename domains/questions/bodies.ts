import { isObject, parseJson } from '../../http/bodies.ts'
import { MAX_ID } from '../shared/schemas.ts'
import { invalidPostBody, invalidQuestion, MAX_TEXT_LENGTH, textIsNull, textTooLong } from './errors.ts'

// These bodies have their own errors, checked in this order: object, id, text
// [spec: questions.ask.order, questions.answer.order].

const ANSWER_MEMBERS = ['question_id', 'text']
const QUESTION_MEMBERS = ['item_id', 'text']

/** Body of POST /answers. Throws invalid_post_body, invalid_question, text_is_null or text_too_long. */
export function parseAnswer(body: unknown): { question_id: number; text: string } {
  const members = parseObject(body, ANSWER_MEMBERS)
  const question_id = parseInteger(members.question_id)
  if (question_id === undefined) throw invalidQuestion('question_id')
  return { question_id, text: parseText(members.text, ANSWER_MEMBERS) }
}

/** Body of POST /questions. Throws invalid_post_body, text_is_null or text_too_long. */
export function parseQuestion(body: unknown, itemIdInPath?: string): { item_id: string; text: string } {
  const members = parseObject(body, QUESTION_MEMBERS)
  const item_id = itemIdInPath ?? members.item_id
  if (typeof item_id !== 'string' || (members.item_id !== undefined && typeof members.item_id !== 'string'))
    throw invalidPostBody(QUESTION_MEMBERS, 'item_id')
  return { item_id, text: parseText(members.text, QUESTION_MEMBERS) }
}

function parseObject(body: unknown, allowed: string[]): Record<string, unknown> {
  const { value } = parseJson(body)
  if (!isObject(value)) throw invalidPostBody(allowed)
  const unknown = Object.keys(value).find((name) => !allowed.includes(name))
  if (unknown !== undefined) throw invalidPostBody(allowed, unknown)
  return value
}

/** An integer, or its digits as text. */
function parseInteger(value: unknown): number | undefined {
  const n = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  return Number.isInteger(n) && (n as number) >= 0 && (n as number) <= MAX_ID ? (n as number) : undefined
}

function parseText(value: unknown, allowed: string[]): string {
  if (value === undefined || value === null) throw textIsNull()
  if (typeof value !== 'string' || value.includes('\u0000')) throw invalidPostBody(allowed, 'text')
  return validateText(value)
}

/** Returns a text in the form in which it is stored. Throws text_is_null if it is blank, or text_too_long. */
export function validateText(value: string): string {
  if (value.trim() === '') throw textIsNull()
  // SQLite would store half a surrogate pair as the replacement character: the answer must show the same text.
  const text = value.toWellFormed()
  if (text.length > MAX_TEXT_LENGTH && [...text].length > MAX_TEXT_LENGTH) throw textTooLong()
  return text
}
