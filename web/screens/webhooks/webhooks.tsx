import { Split } from '../../parts/split.tsx'
import { numberIn } from '../../world/address.ts'
import { useLoad } from '../../world/load.ts'
import type { ScreenProps } from '../screen.ts'
import { words } from '../words.ts'
import { readSubscriptions } from './deliveries.ts'
import { DeliveryDetail } from './detail.tsx'
import { Inbox } from './inbox.tsx'
import { DeliveryList } from './list.tsx'

/** In the address, in place of the number of a delivery. */
const INBOX = 'inbox'

export default function Webhooks({ path: [open], query }: ScreenProps) {
  const w = words().webhooks
  const subscriptions = useLoad(readSubscriptions, {
    refreshOn: (event) =>
      event.type === 'topic_off' || (event.type === 'control' && event.path.includes('/applications')),
  })
  return (
    <Split
      heading={w.title}
      list={<DeliveryList query={query} open={numberIn(open ?? '')} subscriptions={subscriptions} />}
      title={open === INBOX ? w.inbox : String(open)}
      detail={
        open === undefined ? undefined : open === INBOX ? (
          <Inbox />
        ) : (
          <DeliveryDetail key={open} id={numberIn(open)} subscriptions={subscriptions.data} />
        )
      }
    />
  )
}
