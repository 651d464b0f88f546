import { useState } from 'preact/hooks'
import { Choices, Select } from '../../parts/fields.tsx'
import { FilterBar, RemovableFilter, SearchField } from '../../parts/filters.tsx'
import { visible } from '../../parts/text.ts'
import { attempt, notify } from '../../parts/toasts.tsx'
import { send } from '../../world/client.ts'
import { setQuery } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { STATUSES, type Subscription, TOPICS } from './deliveries.ts'
import { InboxLink } from './inbox.tsx'

/** Members of the address that filter the list. */
export const FILTERS = ['status', 'app', 'topic', 'resource', 'q']

interface FiltersProps {
  query: Record<string, string>
  subscriptions: Subscription[]
  again(): void
}

export function Filters({ query, subscriptions, again }: FiltersProps) {
  const w = words().webhooks
  return (
    <FilterBar title={w.title}>
      {canChange.value && <Settle again={again} />}
      <InboxLink />
      <div class="scroll-x">
        <Choices
          label={w.status}
          value={query.status ?? ''}
          options={[['', w.all], ...STATUSES.map((status) => [status, w[status]] as const)]}
          onValue={(status) => setQuery({ status })}
        />
      </div>
      {subscriptions.length > 1 && (
        <Select
          label={w.application}
          value={query.app ?? ''}
          options={[
            ['', w.anyApplication],
            ...subscriptions.map(({ application: { id, name } }) => [String(id), visible(name)] as const),
          ]}
          onValue={(app) => setQuery({ app })}
        />
      )}
      <Select
        label={w.topic}
        value={query.topic ?? ''}
        options={[['', w.anyTopic], ...TOPICS.map((topic) => [topic, topic] as const)]}
        onValue={(topic) => setQuery({ topic })}
      />
      <SearchField label={w.search} value={query.q} maxLength={100} />
      <RemovableFilter name="resource" value={query.resource} />
    </FilterBar>
  )
}

/** It changes nothing by itself, so that it needs no checkpoint. */
function Settle({ again }: { again(): void }) {
  const [isBusy, setBusy] = useState(false)
  const w = words().webhooks
  const settle = async () => {
    setBusy(true)
    try {
      await attempt(() => send('POST /settle'))
      notify(w.settled)
      again()
    } catch {
      // The call has reported its error.
    }
    setBusy(false)
  }
  return (
    <button type="button" class="small" title={w.settleWhy} disabled={isBusy} onClick={settle}>
      {w.settle}
    </button>
  )
}
