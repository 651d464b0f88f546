import { isObject, parseJson } from '../../http/bodies.ts'
import { MAX_ID } from '../shared/schemas.ts'
import {
  bodyRequired,
  fromRequired,
  invalidReceiver,
  textIsNoString,
  textRequired,
  textTooLong,
  toRequired,
  unsupportedCharacters,
} from './errors.ts'

// These bodies have their own errors, in the order of their checks [spec: messages.send.order].

/** Code points of a text. */
export const SELLER_MAX_LENGTH = 350
export const BUYER_MAX_LENGTH = 3500

/** The members of a JSON body. Throws 400 if it has none. */
export function parseObject(body: unknown): Record<string, unknown> {
  const { value } = parseJson(body)
  if (!isObject(value)) throw bodyRequired()
  return value
}

/** An integer, or its digits as text. */
export function parseId(value: unknown): number | undefined {
  const n = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  return Number.isInteger(n) && (n as number) >= 0 && (n as number) <= MAX_ID ? (n as number) : undefined
}

/** Body of a new message. Throws 400 for no object, a text that is none, or without sender or receiver. */
export function parseMessage(body: unknown) {
  const { from, to, text, attachments } = parseObject(body)
  if (text !== undefined && text !== null && typeof text !== 'string') throw textIsNoString()
  const sender = isObject(from) ? from.user_id : undefined
  if (sender === undefined || sender === null) throw fromRequired()
  const receiver = isObject(to) ? to.user_id : undefined
  if (receiver === undefined || receiver === null) throw toRequired()
  const to_id = parseId(receiver)
  if (to_id === undefined) throw invalidReceiver()
  return { from: sender, to_id, text: text ?? '', attachments: attachments ?? [] }
}

// Latin-1 without control characters, and what emoji are made of.
const SUPPORTED = /^[\t\n\r -\u00ff\p{Extended_Pictographic}\p{Emoji_Component}]*$/u

/** Throws 400 for a text of a seller that is blank, too long, or has characters that are not supported. */
export function checkText(text: string): void {
  if (text.trim() === '') throw textRequired()
  if (text.length > SELLER_MAX_LENGTH && [...text].length > SELLER_MAX_LENGTH) throw textTooLong(SELLER_MAX_LENGTH)
  if (!SUPPORTED.test(text)) throw unsupportedCharacters()
}

const SHORTENERS =
  /(^|[^a-z0-9.-])(bit\.ly|bl\.ink|polr\.me|rebrand\.ly|t2m\.io|tinyurl\.com|zpr\.io|yourls\.org)(?![a-z0-9-]|\.[a-z0-9])/i
/** Whether a text has an address of a link shortener [spec: messages.moderation]. */
export const hasShortLink = (text: string): boolean => SHORTENERS.test(text)
