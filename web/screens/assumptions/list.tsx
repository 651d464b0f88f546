import { useRef } from 'preact/hooks'
import type { Schemas } from '../../../lib/types.ts'
import { Empty } from '../../parts/feedback.tsx'
import { Choices } from '../../parts/fields.tsx'
import { useKeys } from '../../parts/keys.ts'
import { ReadOnly } from '../../parts/rows.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { words as common } from '../../words/index.ts'
import { formatAddress } from '../../world/address.ts'
import { setQuery } from '../../world/navigation.ts'
import { words } from './words.ts'

export type Assumption = Schemas['Assumption']

interface ListProps {
  all: Assumption[]
  query: Record<string, string>
  open: string | undefined
}

export function AssumptionList({ all, query, open }: ListProps) {
  const w = words()
  const { q = '', kind = '' } = query
  const wanted = q.toLowerCase().split(/\s+/)
  const rows = all.filter(
    ({ name, means, value, alternatives }) =>
      (kind === '' || (kind === 'switch') === alternatives.length > 0) &&
      wanted.every((word) => `${name} ${means} ${value}`.toLowerCase().includes(word)),
  )
  return (
    <>
      <Filters q={q} kind={kind} />
      {rows.length === 0 ? (
        <Empty icon="search" title={common().nothingFound}>
          <button type="button" onClick={() => setQuery({ q: undefined, kind: undefined })}>
            {common().clearFilters}
          </button>
        </Empty>
      ) : (
        <Table
          label={w.title}
          columns={columns()}
          rows={rows}
          keyOf={({ name }) => name}
          hrefOf={({ name }) => formatAddress('assumptions', [name], query)}
          openKey={open}
        />
      )}
    </>
  )
}

function columns(): Column<Assumption>[] {
  const w = words()
  return [
    { title: w.name, width: 'minmax(9rem, 17rem)', cell: ({ name }) => <span class="mono">{name}</span> },
    {
      title: w.means,
      width: 'minmax(0, 2fr)',
      isWide: true,
      cell: ({ means }) => (
        <span class="muted" lang="en">
          {means}
        </span>
      ),
    },
    {
      title: w.value,
      width: 'minmax(6rem, 1fr)',
      cell: ({ value, alternatives }) => (
        <span
          class={alternatives.length > 0 ? 'badge' : 'muted'}
          data-tone={alternatives.length > 0 ? 'info' : undefined}
          lang="en"
        >
          {value}
        </span>
      ),
    },
  ]
}

function Filters({ q, kind }: { q: string; kind: string }) {
  const w = words()
  const search = useRef<HTMLInputElement>(null)
  useKeys([{ keys: '/', title: common().filter, run: () => search.current?.focus() }])
  return (
    <div class="filters">
      <p class="page-title" aria-hidden="true">
        {w.title}
      </p>
      <ReadOnly />
      <Choices
        label={w.kind}
        value={kind}
        options={[
          ['', common().all],
          ['switch', w.switchable],
          ['fixed', w.fixed],
        ]}
        onValue={(value) => setQuery({ kind: value })}
      />
      <input
        ref={search}
        type="search"
        aria-label={common().filter}
        placeholder={common().filter}
        value={q}
        onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
      />
    </div>
  )
}
