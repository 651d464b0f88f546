import { type Static, Type } from '@sinclair/typebox'
import { MAX_TIME } from '../../db/clock.ts'
import type { World } from '../../db/world.ts'
import { DUE_EFFECTS, DUE_KINDS, type DueEntry, type DuePeriod, type DueWorld } from '../../domains/due.ts'
import { DOMAINS } from '../../domains/index.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import { Instant, Nullable, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'

export const DueKind = OneOf([...DUE_KINDS], { description: 'What it concerns', examples: ['token'] })
const DueEffect = OneOf([...DUE_EFFECTS], {
  description:
    'sent: the next attempt of a notification; expires: a token, code or lead; listed, unlisted: searches begin or cease to answer a lead; gone: an unanswered question',
  examples: ['expires'],
})

/** How many entries have the same effect. */
export const DueGroup = ResponseObject(
  {
    kind: DueKind,
    effect: DueEffect,
    count: Type.Integer({ description: 'Number of entries', examples: [2] }),
  },
  { title: 'DueGroup', description: 'How often the time in the world has the same effect' },
)
type DueGroup = Static<typeof DueGroup>

export const Due = ResponseObject(
  {
    at: Instant('World time', '2026-03-02T18:00:00.000Z'),
    kind: DueKind,
    effect: DueEffect,
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

/** The numbers of entries of a period; effects without entries are left out. */
export async function groupDue(world: DueWorld, period: DuePeriod): Promise<DueGroup[]> {
  const groups: DueGroup[] = []
  if (period.until <= period.after) return groups
  for (const { kind, effect, count } of SOURCES) {
    const group = { kind, effect, count: await count(world, period) }
    if (group.count > 0) groups.push(group)
  }
  return groups
}

/** The first entries of a period, in the order of time; of one kind if it is given. */
export async function findDue(
  world: World,
  period: DuePeriod,
  limit: number,
  kind?: DueEntry['kind'],
): Promise<DueEntry[]> {
  if (period.until <= period.after) return []
  const entries: DueEntry[] = []
  for (const source of SOURCES)
    if (kind === undefined || source.kind === kind) entries.push(...(await source.find(world, period, limit)))
  return entries.sort((a, b) => a.at - b.at).slice(0, limit)
}

export const presentDue = ({ at, ...entry }: DueEntry): Due => ({ at: utcMillis(at), ...entry })
