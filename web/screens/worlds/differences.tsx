import type { AnswerOf } from '../../../lib/types.ts'
import { diffAddress } from '../../parts/checkpoints.tsx'
import { FactList } from '../../parts/facts.tsx'
import { Show } from '../../parts/feedback.tsx'
import { Value } from '../../parts/json.tsx'
import { visible } from '../../parts/text.ts'
import { words as common } from '../../words/index.ts'
import { useCall } from '../../world/load.ts'
import { words } from '../words.ts'

const LIMIT = 50
const CHANGES = ['added', 'removed', 'changed'] as const
const SIGNS = { added: '+', removed: '−', changed: '±' }
const TONES = { added: 'good', removed: 'bad', changed: 'info' }

const Change = ({ of: change, n }: { of: (typeof CHANGES)[number]; n?: number }) => (
  <span class="badge" data-tone={TONES[change]}>
    {SIGNS[change]} {n} {words().worlds[change](n ?? 1)}
  </span>
)

interface States {
  from: string
  to: string
}

/** The tables that differ. */
export function DiffTables({ from, to }: States) {
  const loaded = useCall('GET /diff', { query: { from, to } })
  return (
    <Show loaded={loaded}>
      {({ tables }) =>
        tables.length === 0 ? (
          <p class="muted">{words().worlds.same}</p>
        ) : (
          <ul class="rows" aria-label={common().compare}>
            {tables.map(({ table, ...counts }) => (
              <li key={table}>
                <a class="mono" href={diffAddress({ table, from, to })}>
                  {table}
                </a>
                {CHANGES.map((change) => counts[change] > 0 && <Change key={change} of={change} n={counts[change]} />)}
              </li>
            ))}
          </ul>
        )
      }
    </Show>
  )
}

/** A page of the rows of a table that differ. */
export function DiffRows({ from, to, table, offset }: States & { table: string; offset: number }) {
  const loaded = useCall('GET /diff/{table}', { path: { table }, query: { from, to, offset, limit: LIMIT } })
  return (
    <Show loaded={loaded}>
      {({ results, paging: { total } }) => {
        const last = offset + results.length
        const next = { table, from, to, offset: String(last) }
        return (
          <>
            <h2 class="mono">{visible(table)}</h2>
            <ul class="rows" aria-label={visible(table)}>
              {results.map((row) => (
                <li key={JSON.stringify(row.key)}>
                  <Row {...row} />
                </li>
              ))}
            </ul>
            <p class="row">
              <span class="muted">{common().ofTotal(last, total)}</span>
              {last < total && <a href={diffAddress(next)}>{common().more}</a>}
            </p>
          </>
        )
      }}
    </Show>
  )
}

function Row({ change, key, before, after }: AnswerOf<'GET /diff/{table}'>['results'][number]) {
  const sides = [before, after].filter((side) => side !== null)
  return (
    <div class="stack">
      <p>
        <Change of={change} /> <bdi class="mono">{visible(Object.entries(key).flat().join(' '))}</bdi>
      </p>
      <FactList
        of={Object.keys(sides[0]!).map((column) => [
          column,
          sides.map((side, n) => (
            <>
              {n > 0 && ' → '}
              <Value value={side[column]} depth={0} />
            </>
          )),
        ])}
      />
    </div>
  )
}
