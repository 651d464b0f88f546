import { useRef } from 'preact/hooks'
import { Choices } from '../../parts/fields.tsx'
import { useKeys } from '../../parts/keys.ts'
import { words as common } from '../../words/index.ts'
import { setQuery } from '../../world/navigation.ts'
import { words } from './words.ts'

export function Filters({ query }: { query: Record<string, string> }) {
  const search = useRef<HTMLInputElement>(null)
  const w = words()
  useKeys([{ keys: '/', title: common().filter, run: () => search.current?.focus() }])
  return (
    <div class="filters">
      <p class="page-title" aria-hidden="true">
        {w.title}
      </p>
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
      <input
        ref={search}
        type="search"
        aria-label={w.searchHere}
        placeholder={w.searchHere}
        value={query.q ?? ''}
        onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
      />
    </div>
  )
}
