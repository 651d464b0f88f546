import type { Schemas } from '../../../lib/types.ts'
import { Choices } from '../../parts/fields.tsx'
import { FilterBar, NoMatch, SearchField } from '../../parts/filters.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { words as common } from '../../words/index.ts'
import { formatAddress } from '../../world/address.ts'
import { setQuery } from '../../world/navigation.ts'
import { words } from '../words.ts'

export type Assumption = Schemas['Assumption']

interface ListProps {
  all: Assumption[]
  query: Record<string, string>
  open: string | undefined
}

export function AssumptionList({ all, query, open }: ListProps) {
  const w = words().assumptions
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
        <NoMatch title={common().nothingFound} filters={['q', 'kind']} />
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
  const w = words().assumptions
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
  const w = words().assumptions
  return (
    <FilterBar title={w.title}>
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
      <SearchField label={common().filter} value={q} />
    </FilterBar>
  )
}
