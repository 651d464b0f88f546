import type { AnswerOf, AnyEvent, Schemas } from '../../../lib/types.ts'
import { Badge } from '../../parts/values.tsx'
import { wordsOf } from '../words.ts'

const w = wordsOf('flex')

export type Subscription = Schemas['AnySubscription']
export type Settings = AnswerOf<'GET /flex/subscriptions/{id}/configuration'>
export type Range = NonNullable<Settings['delivery_ranges']['week']>[number]
export const DAYS = ['week', 'saturday', 'sunday'] as const
export type Day = (typeof DAYS)[number]
type Ranges = Record<Day, Range[]>

/** Sellers change Flex with calls of the API, too. */
export const isFlexChange = (event: AnyEvent): boolean =>
  event.type === 'control' || (event.type === 'request' && event.method !== 'GET' && event.path.includes('flex'))

/** A day that is off has no ranges. */
export const rangesOf = ({ delivery_ranges: { week, saturday, sunday } }: Settings): Ranges => ({
  week: week ?? [],
  saturday: saturday ?? [],
  sunday: sunday ?? [],
})

/** TURBO has no cutoffs, FLEX one for each range. */
export function bodyOf(ranges: Ranges, mode: Subscription['mode']) {
  const day = (name: Day) =>
    ranges[name].length === 0
      ? null
      : ranges[name].map(({ from, to, capacity, cutoff }) => ({
          ...{ from, to, capacity },
          ...(mode === 'FLEX' && { cutoff }),
        }))
  return { week: day('week'), saturday: day('saturday'), sunday: day('sunday') }
}

const TONES = { in: 'good', out: 'bad', pending: 'warn', creating: 'warn', activating: 'warn' } as const

export const StateBadge = ({ subscription: { status, is_moderated } }: { subscription: Subscription }) => (
  <>
    <Badge tone={TONES[status.id]}>{w[status.id]}</Badge> {is_moderated && <Badge>{w.moderated}</Badge>}
  </>
)
