import type { AnswerOf } from '../../../lib/types.ts'
import {
  ChoicesFilter,
  FilterBar,
  MoreFilters,
  RemovableFilter,
  SearchField,
  SelectFilter,
  UserFilter,
} from '../../parts/filters.tsx'
import { number } from '../../words/words.ts'
import { setQuery } from '../../world/navigation.ts'
import { useOverview } from '../../world/overview.ts'
import { wordsOf } from '../words.ts'

const w = wordsOf('requests')

export type Row = AnswerOf<'GET /requests'>['results'][number]

/** Members of the address that filter the list. */
export const FILTERS = ['status', 'method', 'path', 'user', 'age', 'q']
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** Of the filter, in seconds. */
const AGES: Record<string, number> = { '1m': 60, '10m': 600, '1h': 3600, '1d': 86_400 }

/** The filters of the address as the call has them; what is being typed is left out. */
export const filtersOf = ({ status, method, path, user, age, q }: Record<string, string>) => ({
  ...{ status: status || undefined, q: q || undefined, max_age: AGES[age ?? ''] },
  method: METHODS.find((one) => one === method),
  path: path?.startsWith('/') ? path : undefined,
  user: user ? Number(user) : undefined,
})

export function Filters({ query }: { query: Record<string, string> }) {
  const counts = useOverview()?.requests.by_status
  const hasCounts = FILTERS.every((name) => name === 'status' || !query[name])
  const classes = [
    ['2xx', '2xx'],
    ['4xx', '4xx'],
    ['5xx', '5xx'],
    ['0', w.noResponse],
  ] as const
  const titled = classes.map(([name, title]) => {
    const count = hasCounts ? counts?.[name === '0' ? 'none' : name] : 0
    return [name, count ? `${title} (${number(count)})` : title] as const
  })
  return (
    <FilterBar>
      <ChoicesFilter label={w.status} name="status" options={titled} />
      <SearchField label={w.searchHere} />
      <label class="row">
        <input
          type="checkbox"
          checked={query.group !== undefined}
          onChange={({ currentTarget }) => setQuery({ group: currentTarget.checked ? '1' : undefined })}
        />
        {w.group}
      </label>
      <MoreFilters isSet={Boolean(query.method || query.path || query.user || query.age)}>
        <SelectFilter label={w.method} name="method" options={METHODS} />
        <SearchField label={w.pathPattern} name="path" />
        <UserFilter label={w.user} name="user" />
        <SelectFilter
          label={w.time}
          name="age"
          all={w.any}
          options={Object.keys(AGES).map((age) => [age, w.last(age)] as const)}
        />
      </MoreFilters>
      <RemovableFilter name="compare" label={w.compareWhich} {...(query.compare && { title: `#${query.compare}` })} />
    </FilterBar>
  )
}

export type Grouped = Row & { times?: number }

/** Equal refusals as one row, where the latest of them is. */
export function groupRefusals(rows: Row[]): Grouped[] {
  const groups = new Map<string, Grouped>()
  return rows.flatMap((row) => {
    const { status } = row.response
    if (status !== null && status < 400) return [row]
    const key = [row.method, row.path.replaceAll(/\d{4,}/g, '*'), status, row.error].join(' ')
    const group = groups.get(key)
    if (group) group.times!++
    else groups.set(key, { ...row, times: 1 })
    return group ? [] : [groups.get(key)!]
  })
}
