import { useEffect, useId, useState } from 'preact/hooks'
import type { Schemas } from '../../../lib/types.ts'
import { Code, copy } from '../../parts/code.tsx'
import { FactList } from '../../parts/facts.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { FilterBar, NoMatch, SearchField } from '../../parts/filters.tsx'
import { Choices } from '../../parts/form.tsx'
import { useKeys } from '../../parts/keys.ts'
import { Split } from '../../parts/split.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { attempt, notify } from '../../parts/toasts.tsx'
import { words as common } from '../../words/index.ts'
import { type Address, formatAddress } from '../../world/address.ts'
import { change } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { setQuery } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'

/** All are in one page. */
const ALL = { query: { limit: 1000 } }

export default function Assumptions({ path: [name], query }: Address) {
  const w = words().assumptions
  const loaded = useCall('GET /assumptions', ALL, { refreshOn: ({ type }) => type === 'control' })
  const assumption = loaded.data?.results.find((one) => one.name === name)
  const detail = assumption ? (
    <AssumptionDetail key={name} assumption={assumption} again={loaded.again} />
  ) : (
    loaded.data && <Empty icon="assumptions" title={w.unknown(name ?? '')} />
  )
  return (
    <Split
      heading={w.title}
      list={<Show loaded={loaded}>{({ results }) => <AssumptionList all={results} query={query} open={name} />}</Show>}
      title={name ?? ''}
      detail={name === undefined ? undefined : detail}
    />
  )
}

function AssumptionDetail({ assumption, again }: { assumption: Assumption; again(): void }) {
  const w = words().assumptions
  const { name, source, means, value, alternatives } = assumption
  const isSwitch = alternatives.length > 0
  const setting = `${name}=${value}`
  const flag = `--assume ${setting.includes(' ') ? `'${setting}'` : setting}`
  useKeys(
    isSwitch ? [{ keys: 'c', title: w.copyFlag, run: () => void copy(flag).then(() => notify(common().copied)) }] : [],
  )
  return (
    <article class="assumption stack">
      <h2 class="mono">{name}</h2>
      <p lang="en">{means}</p>
      <FactList
        of={[
          [w.source, source === 'assumed' ? w.assumed : w.observed],
          [w.value, isSwitch ? null : <span lang="en">{value}</span>],
        ]}
      />
      {isSwitch ? (
        <>
          <Values assumption={assumption} again={again} />
          <section class="stack">
            <h3>{w.forNewWorlds}</h3>
            <Code text={flag} label={w.copyFlag} />
          </section>
        </>
      ) : (
        <p class="muted">{w.fixedWhy}</p>
      )}
    </article>
  )
}

function Values({ assumption: { name, value, alternatives }, again }: { assumption: Assumption; again(): void }) {
  const w = words().assumptions
  const group = useId()
  // The choice is shown at once, not only when the assumption was read again.
  const [chosen, setChosen] = useState<string>()
  useEffect(() => setChosen(undefined), [value])
  const choose = (one: string) => {
    setChosen(one)
    attempt(() => change(`${name}=${one}`, 'PATCH /assumptions/{name}', { path: { name }, body: { value: one } })).then(
      again,
      () => setChosen(undefined),
    )
  }
  return (
    <fieldset class="values">
      <legend class="label">{w.inThisWorld}</legend>
      {[value, ...alternatives].sort().map((one) => (
        <label key={one} class="mono">
          <input
            type="radio"
            name={group}
            checked={one === (chosen ?? value)}
            disabled={!canChange.value}
            onChange={() => choose(one)}
          />
          {one}
        </label>
      ))}
    </fieldset>
  )
}

type Assumption = Schemas['Assumption']

interface ListProps {
  all: Assumption[]
  query: Record<string, string>
  open: string | undefined
}

function AssumptionList({ all, query, open }: ListProps) {
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
