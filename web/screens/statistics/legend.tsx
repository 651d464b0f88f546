import { Choices } from '../../parts/fields.tsx'
import { number } from '../../words/words.ts'
import { setQuery } from '../../world/navigation.ts'
import { words } from '../words.ts'
import { KINDS, type Kind, type Row } from './series.ts'

/** How a curve is drawn. */
export const Sample = ({ curve }: { curve: Kind | 'draft' }) => (
  <svg class="sample" viewBox="0 0 28 8" aria-hidden="true">
    <path class="curve" data-curve={curve} data-chosen="true" d="M1 4h26" />
  </svg>
)

/** What each curve is, with its total in an interval; the chosen one can be drawn. */
export const Legend = ({ kind, row }: { kind: Kind; row: Row }) => (
  <Choices
    label={words().statistics.kind}
    value={kind}
    options={KINDS.map((name) => [
      name,
      <>
        <Sample curve={name} /> {words().statistics[name]} <b>{number(row.totals[name])}</b>
      </>,
    ])}
    onValue={(name) => setQuery({ kind: name })}
  />
)
