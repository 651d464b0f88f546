import { ConfirmButton } from '../../parts/dialog.tsx'
import { notify } from '../../parts/toasts.tsx'
import { number } from '../../words/words.ts'
import { filtersOf } from '../../world/address.ts'
import { change, read, send } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { wordsOf } from '../words.ts'
import { FILTERS, type Query } from './deliveries.tsx'

const w = wordsOf('webhooks')

/** Deliveries that are sent again at a time. */
const MAX_RESENT = 1000

/** Sends the missed deliveries of the filters again, the oldest first; hidden while there are none. */
export function ResendMissed({ query }: { query: Record<string, string> }) {
  const filter: Query = { ...filtersOf<Query>(query, FILTERS), status: 'missed' }
  const missed = useCall('GET /deliveries', { query: { ...filter, limit: 0 } }, { refreshOn: ['attempt', 'control'] })
  const total = Math.min(missed.data?.paging.total ?? 0, MAX_RESENT)
  if (total === 0) return null
  const resend = async () => {
    const { results } = await read('GET /deliveries', { query: { ...filter, limit: MAX_RESENT } })
    const [first, ...others] = results.map(({ id }) => ({ path: { id } })).reverse()
    if (!first) return
    // The snapshot before the first one takes back all.
    await change(w.resendMissed(number(results.length)), 'POST /deliveries/{id}/resend', first)
    for (const other of others) await send('POST /deliveries/{id}/resend', other)
    notify(w.resentMissed(results.length))
  }
  return (
    <ConfirmButton class="small" title={w.resendMissed(number(total))} action={w.resend} onSubmit={resend}>
      <p>{w.resendMissedWhy}</p>
    </ConfirmButton>
  )
}
