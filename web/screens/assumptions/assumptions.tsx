import { useEffect, useId, useState } from 'preact/hooks'
import type { AnswerOf, Schemas } from '../../../lib/types.ts'
import { Code } from '../../parts/code.tsx'
import { copyAndSay } from '../../parts/copy_as.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { ChoicesFilter, FilterBar, NoMatch, SearchField, SelectFilter } from '../../parts/filters.tsx'
import { useKeys } from '../../parts/keys.ts'
import { Section } from '../../parts/page.tsx'
import { Split } from '../../parts/split.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { attempt } from '../../parts/toasts.tsx'
import { FactList, Marked } from '../../parts/values.tsx'
import { number } from '../../words/words.ts'
import type { Address } from '../../world/address.ts'
import { change } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { canChange } from '../../world/role.ts'
import { wordsOf } from '../words.ts'

const w = wordsOf('assumptions')

/** All are in one page. */
const ALL = { query: { limit: 1000 } }
/** Ms between two looks at all calls. */
const USES_MS = 5000

export default function Assumptions({ path: [name], query }: Address) {
  const loaded = useCall('GET /assumptions', ALL, { refreshOn: ['control'] })
  const uses = useCall('GET /coverage', {}, { refreshOn: ['request'], refreshMs: USES_MS }).data?.assumptions ?? []
  const assumption = loaded.data?.results.find((one) => one.name === name)
  const detail = assumption ? (
    <AssumptionDetail key={name} assumption={assumption} uses={uses.filter((use) => use.name === name)} />
  ) : (
    loaded.data && <Empty icon="assumptions" title={w.unknown(name ?? '')} />
  )
  return (
    <Split
      list={
        <Show loaded={loaded}>
          {({ results }) => <AssumptionList all={results} uses={uses} query={query} open={name} />}
        </Show>
      }
      title={name ?? ''}
      detail={name !== undefined && detail}
    />
  )
}

type Uses = AnswerOf<'GET /coverage'>['assumptions']

const isChanged = ({ value, default: first }: Assumption): boolean => value !== first

interface DetailProps {
  assumption: Assumption
  uses: Uses
}

function AssumptionDetail({ assumption, uses }: DetailProps) {
  const { name, source, means, value, alternatives } = assumption
  const isSwitch = alternatives.length > 0
  const setting = `${name}=${value}`
  const flag = `--assume ${setting.includes(' ') ? `'${setting}'` : setting}`
  useKeys(isSwitch ? [{ keys: 'c', title: w.copyFlag, run: () => copyAndSay(flag) }] : [])
  return (
    <article class="assumption stack">
      <h2 class="mono">{name}</h2>
      <p lang="en">
        <Marked text={means} />
      </p>
      <FactList
        of={[
          [w.source, source === 'assumed' ? w.assumed : w.observed],
          [w.value, isSwitch ? null : <Value key={name} {...assumption} />],
          [w.standard, isChanged(assumption) ? assumption.default : null],
        ]}
      />
      {isSwitch ? (
        <>
          <Values {...assumption} />
          <Section title={w.forNewWorlds}>
            <Code text={flag} label={w.copyFlag} />
          </Section>
        </>
      ) : (
        <p class="muted">{w.fixedWhy}</p>
      )}
      {uses.length > 0 && (
        <Section title={w.usedBy}>
          <FactList of={uses.map(({ call, count }) => [call, number(count)])} />
        </Section>
      )}
    </article>
  )
}

function Values({ name, value, alternatives }: Assumption) {
  const group = useId()
  // The choice is shown at once, not only when the assumption was read again.
  const [chosen, setChosen] = useState<string>()
  useEffect(() => setChosen(undefined), [value])
  const choose = (one: string) => {
    setChosen(one)
    attempt(() =>
      change(`${name}=${one}`, 'PATCH /assumptions/{name}', { path: { name }, body: { value: one } }),
    ).catch(() => setChosen(undefined))
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

/** `contacts` */
const domainOf = ({ name }: Assumption): string => name.split('.')[0]!

const KINDS = ['switch', 'fixed', 'changed', 'used'] as const

interface ListProps {
  all: Assumption[]
  uses: Uses
  query: Record<string, string>
  open: string | undefined
}

function AssumptionList({ all, uses, query, open }: ListProps) {
  const { q = '', kind = '', domain = '' } = query
  const used = Map.groupBy(uses, ({ name }) => name)
  const isOf: Record<string, (one: Assumption) => boolean> = {
    switch: ({ alternatives }) => alternatives.length > 0,
    fixed: ({ alternatives }) => alternatives.length === 0,
    changed: isChanged,
    used: ({ name }) => used.has(name),
  }
  const wanted = q.toLowerCase().split(/\s+/)
  const inDomain = all.filter((one) => domain === '' || domainOf(one) === domain)
  const rows = inDomain.filter(
    (one) =>
      (isOf[kind]?.(one) ?? true) &&
      wanted.every((word) => `${one.name} ${one.means} ${one.value}`.toLowerCase().includes(word)),
  )
  const domains = [...Map.groupBy(all, domainOf)].map(([name, { length }]) => [name, `${name} ${length}`] as const)
  return (
    <>
      <FilterBar>
        <SelectFilter label={w.domain} name="domain" options={domains} />
        <ChoicesFilter
          label={w.kind}
          name="kind"
          options={KINDS.map((one) => [one, `${w[one]} ${inDomain.filter(isOf[one]!).length}`] as const)}
        />
        <SearchField label={w.filter} />
      </FilterBar>
      {rows.length === 0 ? (
        <NoMatch title={w.nothingFound} filters={['q', 'kind', 'domain']} />
      ) : (
        <Table columns={columns(used)} rows={rows} keyOf={({ name }) => name} openKey={open} />
      )}
    </>
  )
}

const columns = (used: Map<string, Uses>): Column<Assumption>[] => [
  { title: w.name, width: 'minmax(9rem, 17rem)', cell: ({ name }) => <span class="mono">{name}</span> },
  {
    title: w.means,
    width: 'minmax(0, 2fr)',
    class: 'wide',
    cell: ({ means }) => (
      <span class="muted" lang="en">
        <Marked text={means} />
      </span>
    ),
  },
  { title: w.value, width: 'minmax(6rem, 1fr)', cell: (one) => <Value {...one} /> },
  {
    title: w.calls,
    width: '5rem',
    class: 'wide number',
    // Most have none: only the others are to be seen.
    cell: ({ name }) => used.get(name) && number(used.get(name)!.reduce((sum, { count }) => sum + count, 0)),
  },
]

/** What a world does; in another tone if it was chosen. */
const Value = (one: Assumption) => (
  <span
    class={one.alternatives.length > 0 ? 'badge' : 'muted'}
    data-tone={isChanged(one) ? 'warn' : one.alternatives.length > 0 ? 'info' : undefined}
    lang="en"
  >
    <Marked text={one.value} />
  </span>
)
