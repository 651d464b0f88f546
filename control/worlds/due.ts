import { type Static, Type } from '@sinclair/typebox'
import { MAX_TIME } from '../../db/clock.ts'
import type { World } from '../../db/world.ts'
import { DUE_EFFECTS, DUE_KINDS, type DueEntry, type DuePeriod } from '../../domains/due.ts'
import { DOMAINS } from '../../domains/index.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import { Instant, Nullable, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'

export const Due = ResponseObject(
  {
    at: Instant('World time', '2026-03-02T18:00:00.000Z'),
    kind: OneOf([...DUE_KINDS], { description: 'What it concerns', examples: ['token'] }),
    effect: OneOf([...DUE_EFFECTS], {
      description:
        'sent: the next attempt of a notification; expires: a token, code or lead; listed, unlisted: searches begin or cease to answer a lead; gone: an unanswered question',
      examples: ['expires'],
    }),
    id: Type.Unsafe<number | string | null>({
      type: ['integer', 'string', 'null'],
      description: 'Delivery, lead or question; null for tokens and codes, which are secrets',
    }),
    resource: Nullable(Type.String(), { description: 'Its path in the emulated API; null for tokens and codes' }),
    user_id: Type.Integer({ description: 'The user concerned' }),
    application_id: Nullable(Type.Integer(), { description: 'Application of the token or notification' }),
    n: Nullable(Type.Integer(), { description: 'Number of the attempt; null for others' }),
  },
  { title: 'Due', description: 'Something that the time in the world brings about' },
)
type Due = Static<typeof Due>

const SOURCES = DOMAINS.flatMap(({ due }) => due)

/** The period from the world's time on. */
export const afterNow = ({ clock }: World, until = MAX_TIME): DuePeriod => ({ after: clock.now(), until })

/** The number of entries of a period. */
export async function countDue(world: World, period: DuePeriod): Promise<number> {
  let total = 0
  if (period.until <= period.after) return total
  for (const source of SOURCES) total += await source.count(world, period)
  return total
}

/** The first entries of a period, in the order of time. */
export async function findDue(world: World, period: DuePeriod, limit: number): Promise<DueEntry[]> {
  if (period.until <= period.after) return []
  const entries: DueEntry[] = []
  for (const source of SOURCES) entries.push(...(await source.find(world, period, limit)))
  return entries.sort((a, b) => a.at - b.at).slice(0, limit)
}

export const presentDue = ({ at, ...entry }: DueEntry): Due => ({ at: utcMillis(at), ...entry })
