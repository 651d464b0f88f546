import { ConfirmButton } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/feedback.tsx'
import { FilterBar } from '../../parts/filters.tsx'
import { useKeys } from '../../parts/keys.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { Badge, Method, visible } from '../../parts/values.tsx'
import { mercadito } from '../../snippets/call.ts'
import { durationOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { baseUrl, change } from '../../world/client.ts'
import { go } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { wordsOf } from '../words.ts'
import type { Rule } from './rule.ts'

const w = wordsOf('faults')

interface ListProps {
  rules: Rule[]
  open: number | undefined
}

/** The rules in the order in which they are matched. */
export function RuleList({ rules, open }: ListProps) {
  useKeys(canChange.value ? [{ keys: '+', title: w.create, run: () => go('#/faults/new') }] : [])
  return (
    <>
      <FilterBar>
        {canChange.value && (
          <a class="button" href="#/faults/new">
            {w.create}
          </a>
        )}
        {rules.length > 1 && (
          <ConfirmButton title={w.deleteAll} action={w.delete} onSubmit={() => change(w.deleteAll, 'DELETE /faults')}>
            {w.deleteAllLoss(rules.length)}
          </ConfirmButton>
        )}
      </FilterBar>
      {rules.length === 0 ? (
        <NoRules />
      ) : (
        <>
          <Table
            columns={columns()}
            rows={rules}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => `#/faults/${id}`}
            openKey={open}
          />
          <Presets />
        </>
      )}
    </>
  )
}

const columns = (): Column<Rule>[] => [
  { title: w.calls, width: 'minmax(8rem, 1fr)', cell: ({ match }) => <Match match={match} /> },
  { title: w.effect, width: 'minmax(5rem, 10rem)', cell: ({ action }) => effectOf(action) },
  {
    title: w.hits,
    width: '5rem',
    class: 'wide number',
    cell: ({ applied, times }) => number(applied) + (times === null ? '' : ` / ${number(times)}`),
  },
  { title: w.state, width: '5.5rem', cell: (rule) => <State rule={rule} /> },
]

/** Failures that programs should survive. */
const NoRules = () => (
  <Empty icon="faults" title={w.none} command={mercadito('fault add --path /answers --status 503 --times 3', baseUrl)}>
    <p>{w.noneWhy}</p>
    <Presets />
  </Empty>
)

/** Links to the form of a new rule, filled in. */
function Presets() {
  const presets = [
    [w.example503, 'status=503&times=3'],
    [w.exampleLimit, 'limit=10&window=60'],
    [w.limits, 'limits=published'],
    [w.exampleDelay, 'min=2000'],
    [w.exampleDrop, 'drop=1&percent=10'],
  ] as const
  return canChange.value ? (
    <p class="row list-footer centered">
      {presets.map(([title, query]) => (
        <a key={query} class="button" href={`#/faults/new?${query}`}>
          {title}
        </a>
      ))}
    </p>
  ) : null
}

/** `POST /answers` */
export const Match = ({ match: { method, path, user } }: { match: Rule['match'] }) => (
  <span class="mono">
    {method && <Method name={method} />} <bdi>{path === undefined ? w.anyCall : visible(path)}</bdi>
    {user !== undefined && <span class="muted"> · {user}</span>}
  </span>
)

/** `503`, `2 s late` */
export function effectOf({ status, delay, optimistic_lock, partial, rate_limit, limits }: Rule['action']): string {
  if (status !== undefined) return String(status)
  if (rate_limit) {
    const { limit, window, clock } = rate_limit
    return `${w.limited(number(limit), number(window))}${clock === 'world' ? `, ${w.worldClock}` : ''}`
  }
  if (limits) return w.limits
  if (optimistic_lock) return w.optimistic_lock
  if (partial) return w.without(partial.join(', '))
  if (typeof delay === 'object') return w.late(`${durationOf(delay.min)} – ${durationOf(delay.max)}`)
  return delay === undefined ? w.dropped : w.late(durationOf(delay))
}

export const isUsedUp = ({ times, applied }: Pick<Rule, 'times' | 'applied'>): boolean =>
  times !== null && applied >= times

export function State({ rule: { enabled, times, applied } }: { rule: Rule }) {
  if (!enabled) return <Badge tone="plain">{w.off}</Badge>
  return isUsedUp({ times, applied }) ? <Badge tone="plain">{w.usedUp}</Badge> : <Badge tone="warn">{w.active}</Badge>
}
