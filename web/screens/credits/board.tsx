import { DialogButton } from '../../parts/dialog_button.tsx'
import { Empty } from '../../parts/feedback.tsx'
import { Choices } from '../../parts/fields.tsx'
import { FilterBar } from '../../parts/filters.tsx'
import { useKeys } from '../../parts/keys.ts'
import { mercadito } from '../../snippets/curl.ts'
import { words as common } from '../../words/index.ts'
import { baseUrl } from '../../world/client.ts'
import { setQuery } from '../../world/navigation.ts'
import { words } from '../words.ts'
import { Column } from './column.tsx'
import { NewLead } from './form.tsx'
import { STATES } from './lead.ts'

interface BoardProps {
  query: Record<string, string>
  open: string | undefined
  /** Leads of the world. */
  total: number
}

/** The leads by state, newest first. */
export function Board({ query, open, total }: BoardProps) {
  const w = words().credits
  useKeys([
    { keys: 'j', title: w.nextLead, run: () => focusLead(1) },
    { keys: 'k', title: w.previousLead, run: () => focusLead(-1) },
  ])
  const create = <DialogButton title={w.create} keys="+" dialog={(close) => <NewLead onClose={close} />} />
  const { expired = '', user = '' } = query
  return (
    <>
      <FilterBar title={w.title}>
        {create}
        <Choices
          label={w.validity}
          value={expired}
          options={[
            ['', common().all],
            ['false', w.valid],
            ['true', w.expiredOnes],
          ]}
          onValue={(value) => setQuery({ expired: value })}
        />
        <label class="select">
          <span>{w.seller}</span>
          <input
            class="lead-user"
            value={user}
            inputMode="numeric"
            placeholder={common().all}
            onChange={({ currentTarget }) => setQuery({ user: currentTarget.value.replace(/\D/g, '') })}
          />
        </label>
      </FilterBar>
      {total === 0 ? (
        <Empty icon="credits" title={w.none} command={mercadito('lead create MLB1400000001', baseUrl)}>
          <p>{w.noneWhy}</p>
        </Empty>
      ) : (
        <div class="board">
          {STATES.map((status) => (
            <Column key={`${status} ${expired} ${user}`} status={status} query={query} open={open} />
          ))}
        </div>
      )}
    </>
  )
}

/** Moves the focus through all columns. */
function focusLead(step: number): void {
  const leads = [...document.querySelectorAll<HTMLElement>('a.lead')]
  const present = leads.indexOf(document.activeElement as HTMLElement)
  const next = present < 0 ? 0 : Math.min(leads.length - 1, Math.max(0, present + step))
  leads[next]?.focus()
}
