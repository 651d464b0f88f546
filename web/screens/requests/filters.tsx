import { Choices } from '../../parts/fields.tsx'
import { FilterBar, SearchField } from '../../parts/filters.tsx'
import { words as common } from '../../words/index.ts'
import { setQuery } from '../../world/navigation.ts'
import { words } from '../words.ts'

export function Filters({ query }: { query: Record<string, string> }) {
  const w = words().requests
  return (
    <FilterBar title={w.title}>
      <Choices
        label={w.status}
        value={query.status ?? ''}
        options={[
          ['', common().all],
          ['2xx', '2xx'],
          ['4xx', '4xx'],
          ['5xx', '5xx'],
          ['0', w.noStatus],
        ]}
        onValue={(status) => setQuery({ status })}
      />
      <SearchField label={w.searchHere} value={query.q} />
    </FilterBar>
  )
}
