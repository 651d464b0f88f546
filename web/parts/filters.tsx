import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { words } from '../words/index.ts'
import { setQuery } from '../world/navigation.ts'
import { Empty } from './feedback.tsx'
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
  useKeys([{ keys: '/', title: words().filter, run: () => field.current?.focus() }])
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
