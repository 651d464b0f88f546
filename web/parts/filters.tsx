import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { words } from '../words/index.ts'
import { useCall } from '../world/load.ts'
import { setQuery } from '../world/navigation.ts'
import { Empty } from './feedback.tsx'
import { Select } from './form.tsx'
import { Icon } from './icons.tsx'
import { useKeys } from './keys.ts'
import { ReadOnly } from './rows.tsx'
import { visible } from './text.tsx'

/** The heading of a list with its filters and buttons. Screen readers get the heading of the screen. */
export const FilterBar = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <div class="filters">
    <p class="page-title" aria-hidden="true">
      {title}
    </p>
    <ReadOnly />
    {children}
  </div>
)

interface SearchFieldProps {
  label: string
  /** In the address. */
  name?: string
  value: string | undefined
  /** Characters that the call accepts. */
  maxLength?: number
  inputMode?: 'numeric'
}

/** A filter of the address; `/` moves the focus to it. */
export function SearchField({ label, name = 'q', value = '', ...attributes }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useKeys(name === 'path' ? [] : [{ keys: '/', title: words().filter, run: () => field.current?.focus() }])
  return (
    <input
      ref={field}
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      {...attributes}
      onInput={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
    />
  )
}

const MAX_OFFERED = 200

/** A filter of the address by user; others than those that are offered are left to links. */
export function UserFilter({ label, name, value = '' }: { label: string; name: string; value: string | undefined }) {
  const query = { kind: 'seller', limit: MAX_OFFERED } as const
  const users = useCall('GET /users', { query }).data?.results ?? []
  const offered = users.map(({ id, nickname }) => [String(id), visible(nickname)] as const)
  const others = value === '' || offered.some(([id]) => id === value) ? [] : [[value, visible(value)] as const]
  return (
    <Select
      label={label}
      value={value}
      options={[['', words().all], ...offered, ...others]}
      onValue={(user) => setQuery({ [name]: user })}
    />
  )
}

/** Filters that are used less: folded where there is little room and none is set. */
export const MoreFilters = ({ isSet, children }: { isSet: boolean; children: ComponentChildren }) => (
  <details class="more-filters" open={isSet || innerWidth > 1400}>
    <summary>{words().moreFilters}</summary>
    {children}
  </details>
)

/** A filter of the address that a link has set; the button removes it. */
export function RemovableFilter({ name, title, value }: { name: string; title?: string; value: string | undefined }) {
  if (!value) return null
  return (
    <button type="button" class="small" onClick={() => setQuery({ [name]: undefined })}>
      {title} <bdi class="mono">{visible(value)}</bdi>
      <Icon name="close" />
      <span class="hidden">{words().clearFilters}</span>
    </button>
  )
}

/** No row matches the filters of these names in the address. */
export const NoMatch = ({ title, filters }: { title: string; filters: readonly string[] }) => (
  <Empty icon="search" title={title}>
    <button type="button" onClick={() => setQuery(Object.fromEntries(filters.map((name) => [name, undefined])))}>
      {words().clearFilters}
    </button>
  </Empty>
)
