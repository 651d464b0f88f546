import type { ComponentChildren } from 'preact'
import { useContext, useRef } from 'preact/hooks'
import { words as w } from '../words/index.ts'
import { useCall } from '../world/load.ts'
import { address, setQuery } from '../world/navigation.ts'
import { Button } from './button.tsx'
import { Empty } from './feedback.tsx'
import { type Choice, Choices, Select } from './form.tsx'
import { Icon } from './icons.tsx'
import { useKeys } from './keys.ts'
import { ReadOnly, ScreenTitle } from './page.tsx'
import { foreign, visible } from './values.tsx'

/** The title of a list with its filters and buttons. Screen readers get the heading of the screen. */
export const FilterBar = ({ children }: { children: ComponentChildren }) => (
  <div class="filters">
    <p class="page-title" aria-hidden="true">
      {useContext(ScreenTitle)}
    </p>
    <ReadOnly />
    {children}
  </div>
)

/** A filter in the address: its member there, and what screen readers call it. */
interface FilterProps {
  name: string
  label: string
}

interface SearchFieldProps extends Omit<FilterProps, 'name'> {
  /** Default: `q`, to which `/` moves the focus. */
  name?: string
  /** Characters that the call accepts. */
  maxLength?: number
  inputMode?: 'numeric'
}

export function SearchField({ label, name = 'q', ...attributes }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useKeys(name === 'path' ? [] : [{ keys: '/', title: w.filter, run: () => field.current?.focus() }])
  return (
    <input
      ref={field}
      type="search"
      aria-label={label}
      placeholder={label}
      value={address.value.query[name] ?? ''}
      {...attributes}
      onInput={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
    />
  )
}

interface ChoiceFilterProps<Title> extends FilterProps {
  options: readonly Choice<string, Title>[]
  /** The title of the choice that filters nothing. */
  all?: string
}

const choiceOf = <Title,>({ name, label, all = w.all, options }: ChoiceFilterProps<Title>) => ({
  ...{ label, value: address.value.query[name] ?? '', options: [['', all] as const, ...options] },
  onValue: (value: string) => setQuery({ [name]: value }),
})

/** One of several values. */
export const SelectFilter = (props: ChoiceFilterProps<string>) => <Select {...choiceOf(props)} />
/** One of a few values, of which all are seen. */
export const ChoicesFilter = (props: ChoiceFilterProps<ComponentChildren>) => <Choices {...choiceOf(props)} />

const MAX_OFFERED = 200

/** A user; others than those that are offered are left to links. */
export function UserFilter({ label, name }: FilterProps) {
  const users = useCall('GET /users', { query: { kind: 'seller', limit: MAX_OFFERED } }).data?.results ?? []
  const offered = users.map(({ id, nickname }) => [String(id), visible(nickname)] as const)
  return <SelectFilter label={label} name={name} options={withChosen(offered, address.value.query[name])} />
}

/** Choices with the one that a link names, which may not be among the first. */
export const withChosen = (choices: readonly (readonly [string, string])[], chosen = '') =>
  chosen === '' || choices.some(([one]) => one === chosen) ? choices : [[chosen, visible(chosen)] as const, ...choices]

/** Filters that are used less: folded where there is little room and none is set. */
export const MoreFilters = ({ isSet, children }: { isSet: boolean; children: ComponentChildren }) => (
  <details class="more-filters" open={isSet || innerWidth > 1400}>
    <summary>{w.moreFilters}</summary>
    {children}
  </details>
)

/** A filter that a link has set; the button removes it. `title` is shown in place of its value. */
export function RemovableFilter({ name, label, title }: Partial<FilterProps> & { name: string; title?: string }) {
  const value = title ?? address.value.query[name]
  if (!value) return null
  return (
    <button type="button" class="small" onClick={() => setQuery({ [name]: undefined })}>
      {label} {foreign(value, 'mono')}
      <Icon name="close" />
      <span class="hidden">{w.clearFilters}</span>
    </button>
  )
}

interface NoMatchProps {
  title: string
  /** Members of the address that filter the list. */
  filters: readonly string[]
  /** Shown if none of them is set. */
  children?: ComponentChildren
}

/** Why a list has no rows: none matches its filters, or there are none at all. */
export const NoMatch = ({ title, filters, children }: NoMatchProps): ComponentChildren =>
  children && !filters.some((name) => address.value.query[name]) ? (
    children
  ) : (
    <Empty icon="search" title={title}>
      <Button
        title={w.clearFilters}
        run={() => setQuery(Object.fromEntries(filters.map((name) => [name, undefined])))}
      />
    </Empty>
  )
