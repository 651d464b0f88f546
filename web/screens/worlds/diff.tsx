import type { AnswerOf } from '../../../lib/types.ts'
import { Show } from '../../parts/feedback.tsx'
import { withChosen } from '../../parts/filters.tsx'
import { Select } from '../../parts/form.tsx'
import { Value } from '../../parts/json.tsx'
import { useKeys } from '../../parts/keys.ts'
import { diffAddress } from '../../parts/undo.tsx'
import { Badge, FactList, foreign, visible } from '../../parts/values.tsx'
import { dateTimeOf } from '../../words/time.ts'
import { fill } from '../../words/words.ts'
import { numberIn } from '../../world/address.ts'
import { worldId } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { go, setQuery } from '../../world/navigation.ts'
import { wordsOf } from '../words.ts'
import { nameOf } from './dialogs.tsx'
import { DiffSentences } from './diff_sentences.tsx'

const w = wordsOf('worlds')

const ALL = { query: { limit: 1000 } }

/** What differs between two states or worlds: in words, as numbers of rows by table, or the rows of one. */
export function Diff({ query }: { query: Record<string, string> }) {
  const { from = 'start', to = 'now', table, offset = '' } = query
  const snapshots = useCall('GET /snapshots', ALL).data?.results ?? []
  const worlds = useCall('GET /worlds', ALL).data?.results ?? []
  const states: [state: string, title: string][] = [
    ['start', w.start],
    ['now', w.now],
    ...snapshots.map(({ name, automatic, label }): [string, string] => [
      `snapshot:${name}`,
      automatic ? `${name}: ${w.before(visible(label ?? ''))}` : visible(name),
    ]),
    ...worlds
      .filter(({ id }) => id !== worldId)
      .map((world): [string, string] => [`world:${world.id}`, visible(nameOf(world))]),
  ]
  const up = table === undefined ? '#/worlds' : diffAddress({ from, to })
  useKeys([{ keys: 'Escape', title: w.back, run: () => go(up) }])
  const key = [from, to, table, offset].join()
  return (
    <div class="page stack">
      <h1>{w.compare}</h1>
      <p class="row">
        <State label={w.from} name="from" value={from} states={states} />
        <State label={w.to} name="to" value={to} states={states} />
        <a href={up}>{w.back}</a>
      </p>
      {table === undefined ? (
        <DiffTables key={key} from={from} to={to} />
      ) : (
        <DiffRows key={key} from={from} to={to} table={table} offset={numberIn(offset)} />
      )}
    </div>
  )
}

interface StateProps {
  label: string
  name: string
  value: string
  states: [state: string, title: string][]
}

/** A choice of states. Addresses may name others, such as `world:2`. */
const State = ({ label, name, value, states }: StateProps) => (
  <Select
    label={label}
    value={value}
    options={withChosen(states, value)}
    onValue={(state) => setQuery({ [name]: state, offset: undefined })}
  />
)

const LIMIT = 50
const CHANGES = ['added', 'removed', 'changed'] as const
const SIGNS = { added: '+', removed: '−', changed: '±' }
const TONES = { added: 'good', removed: 'bad', changed: 'info' } as const

const Change = ({ of: change, n }: { of: (typeof CHANGES)[number]; n?: number }) => (
  <Badge tone={TONES[change]}>
    {SIGNS[change]} {n} {fill(w[change], [n ?? 1])}
  </Badge>
)

interface States {
  from: string
  to: string
}

/** What differs in words, and the tables. */
const DiffTables = ({ from, to }: States) => (
  <Show loaded={useCall('GET /diff', { query: { from, to } })}>
    {(diff) => (
      <>
        <section class="card stack">
          <p class="muted">
            <time dateTime={diff.from.now}>{dateTimeOf(diff.from.now)}</time> →{' '}
            <time dateTime={diff.to.now}>{dateTimeOf(diff.to.now)}</time>
          </p>
          <DiffSentences diff={diff} none={w.same} />
        </section>
        {diff.tables.length > 0 && (
          <details class="stack">
            <summary>{w.inTables}</summary>
            <ul class="rows" aria-label={w.inTables}>
              {diff.tables.map(({ table, ...counts }) => (
                <li key={table}>
                  <a class="mono" href={diffAddress({ table, from, to })}>
                    {table}
                  </a>
                  {CHANGES.map(
                    (change) => counts[change] > 0 && <Change key={change} of={change} n={counts[change]} />,
                  )}
                </li>
              ))}
            </ul>
          </details>
        )}
      </>
    )}
  </Show>
)

/** A page of the rows of a table that differ. */
const DiffRows = ({ from, to, table, offset }: States & { table: string; offset: number }) => (
  <Show loaded={useCall('GET /diff/{table}', { path: { table }, query: { from, to, offset, limit: LIMIT } })}>
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
            <span class="muted">{w.ofTotal(last, total)}</span>
            {last < total && <a href={diffAddress(next)}>{w.more}</a>}
          </p>
        </>
      )
    }}
  </Show>
)

function Row({ change, key, before, after }: AnswerOf<'GET /diff/{table}'>['results'][number]) {
  const sides = [before, after].filter((side) => side !== null)
  return (
    <div class="stack">
      <p>
        <Change of={change} /> {foreign(Object.entries(key).flat().join(' '), 'mono')}
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
