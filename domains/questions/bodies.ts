import { json } from '../../plugins/bodies.ts'
import { MAX_ID } from '../shared/atoms.ts'
import { invalidPostBody, invalidQuestion, LONGEST_TEXT, textIsNull, textTooLong } from './errors.ts'

// The bodies whose refusals the contract words and orders itself: object, then id, then text (rulings of both POSTs).

const ANSWER = ['question_id', 'text']
const QUESTION = ['item_id', 'text']

/** Body of POST /answers. Throws invalid_post_body, invalid_question, text_is_null or text_too_long. */
export function readAnswer(body: unknown): { question_id: number; text: string } {
  const sent = objectOf(body, ANSWER)
  const question_id = integerOf(sent.question_id)
  if (question_id === undefined) throw invalidQuestion()
  return { question_id, text: textOf(sent.text, ANSWER) }
}

/**
 * Body of POST /questions; `inPath` is the listing that the path names. Throws invalid_post_body, text_is_null or
 * text_too_long.
 */
export function readQuestion(body: unknown, inPath?: string): { item_id: string; text: string } {
  const sent = objectOf(body, QUESTION)
  const item_id = inPath ?? sent.item_id
  if (typeof item_id !== 'string' || (sent.item_id !== undefined && typeof sent.item_id !== 'string'))
    throw invalidPostBody(QUESTION)
  return { item_id, text: textOf(sent.text, QUESTION) }
}

function objectOf(body: unknown, valid: string[]): Record<string, unknown> {
  const { value } = json(body)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject || !Object.keys(value).every((name) => valid.includes(name))) throw invalidPostBody(valid)
  return value as Record<string, unknown>
}

/** An integer, or its digits as text. */
function integerOf(value: unknown): number | undefined {
  const n = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  return Number.isInteger(n) && (n as number) >= 0 && (n as number) <= MAX_ID ? (n as number) : undefined
}

function textOf(value: unknown, valid: string[]): string {
  if (value === undefined || value === null) throw textIsNull()
  if (typeof value !== 'string' || value.includes('\u0000')) throw invalidPostBody(valid)
  return readText(value)
}

/** A text as it is stored, U+0000 apart. Throws text_is_null where it is blank, or text_too_long. */
export function readText(value: string): string {
  if (value.trim() === '') throw textIsNull()
  // Half a surrogate pair cannot be stored: it becomes the replacement character, here as in the file.
  const text = value.toWellFormed()
  if (text.length > LONGEST_TEXT && [...text].length > LONGEST_TEXT) throw textTooLong()
  return text
}
