import { useRef } from 'preact/hooks'
import { Choices, Select } from '../../parts/fields.tsx'
import { Icon } from '../../parts/icons.tsx'
import { useKeys } from '../../parts/keys.ts'
import { visible } from '../../parts/text.ts'
import { words as common } from '../../words/index.ts'
import { setQuery } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { STATUSES } from './states.ts'
import { words } from './words.ts'

/** Members of the address that filter the list. */
export const FILTERS = ['status', 'seller', 'item', 'from', 'q', 'age']

export function Filters({ query, ask }: { query: Record<string, string>; ask(): void }) {
  const search = useRef<HTMLInputElement>(null)
  const w = words()
  useKeys([{ keys: '/', title: common().filter, run: () => search.current?.focus() }])
  return (
    <div class="filters">
      <p class="page-title" aria-hidden="true">
        {w.title}
      </p>
      {canChange.value && (
        <button type="button" class="primary small" onClick={ask}>
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
      <input
        ref={search}
        type="search"
        aria-label={w.search}
        placeholder={w.search}
        maxLength={100}
        value={query.q ?? ''}
        onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
      />
      <Chip name="seller" title={w.seller} value={query.seller} />
      <Chip name="item" title={w.item} value={query.item} />
      <Chip name="from" title={w.buyer} value={query.from} />
    </div>
  )
}

/** A filter that a link has set; the button takes it away. */
function Chip({ name, title, value }: { name: string; title: string; value: string | undefined }) {
  if (!value) return null
  return (
    <button type="button" class="small" onClick={() => setQuery({ [name]: undefined })}>
      {title} <bdi class="mono">{visible(value)}</bdi>
      <Icon name="close" />
      <span class="hidden">{common().clearFilters}</span>
    </button>
  )
}
