import { Choices, Select } from '../../parts/fields.tsx'
import { FilterBar, RemovableFilter, SearchField } from '../../parts/filters.tsx'
import { setQuery } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { STATUSES } from './states.ts'

/** Members of the address that filter the list. */
export const FILTERS = ['status', 'seller', 'item', 'from', 'q', 'age']

export function Filters({ query, ask }: { query: Record<string, string>; ask(): void }) {
  const w = words().questions
  return (
    <FilterBar title={w.title}>
      {canChange.value && (
        <button type="button" class="primary small" aria-haspopup="dialog" onClick={ask}>
          {w.ask} <kbd>a</kbd>
        </button>
      )}
      <div class="scroll-x">
        <Choices
          label={w.status}
          value={query.status ?? ''}
          options={[['', w.all], ...STATUSES.map((status) => [status, w[status]] as const)]}
          onValue={(status) => setQuery({ status })}
        />
      </div>
      <Select
        label={w.age}
        value={query.age ?? ''}
        options={[
          ['', w.anyAge],
          ['1h', w.olderThan1h],
          ['1d', w.olderThan1d],
          ['7d', w.olderThan7d],
        ]}
        onValue={(age) => setQuery({ age })}
      />
      <SearchField label={w.search} value={query.q} maxLength={100} />
      <RemovableFilter name="seller" title={w.seller} value={query.seller} />
      <RemovableFilter name="item" title={w.item} value={query.item} />
      <RemovableFilter name="from" title={w.buyer} value={query.from} />
    </FilterBar>
  )
}
