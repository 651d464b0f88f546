import type { Schemas } from '../../../lib/types.ts'
import { formatAddress } from '../../world/address.ts'
import { words } from '../words.ts'

export type Due = Schemas['Due']

/** Its words, and the address of what it concerns. */
export function describe({ kind, effect, id, user_id, n }: Due): { title: string; href?: string } {
  const w = words().clock
  const name = String(id ?? '')
  if (effect === 'sent') return { title: w.attempt(n ?? 1, name), href: formatAddress('webhooks', [name]) }
  if (kind === 'token' || kind === 'refresh_token') return { title: w.token(user_id) }
  if (kind === 'code') return { title: w.code(user_id) }
  if (kind === 'question') return { title: w.questionGone(name), href: formatAddress('questions', [name]) }
  const title = effect === 'listed' ? w.leadListed : effect === 'unlisted' ? w.leadUnlisted : w.leadExpires
  return { title: title(name.slice(0, 8)), href: formatAddress('credits', [name]) }
}

const HOUR = 3_600_000
/** Ms that the scrubber shows. */
export const SPANS = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR, month: 30 * 24 * HOUR }
export type Span = keyof typeof SPANS

/** Ends of the scrubber in ms: a quarter of it is past. It moves in steps, not with each second. */
export function rangeOf(now: number, span: Span): { start: number; end: number; step: number } {
  const size = SPANS[span]
  const grid = size / 24
  const anchor = Math.floor(now / grid) * grid
  return { start: anchor - size / 4, end: anchor + (size * 3) / 4, step: Math.max(1000, size / 720) }
}
