import { Empty, Show, Skeleton } from '../../parts/feedback.tsx'
import { visible } from '../../parts/text.ts'
import { clock } from '../../world/clock.ts'
import { useCall } from '../../world/load.ts'
import type { ScreenProps } from '../screen.ts'
import { words } from '../words.ts'
import { MAX_CHOICES, SellerStatistics } from './seller_statistics.tsx'

/** `#/statistics/2500000101?unit=hour&days=7&item=MLA1400000001&kind=phone_view` */
export default function Statistics({ path: [id], query }: ScreenProps) {
  const w = words().statistics
  const loaded = useCall('GET /users', { query: { kind: 'seller', limit: MAX_CHOICES } })
  return (
    <Show loaded={loaded}>
      {({ results }) => {
        const user = id === undefined ? results[0]?.id : Number(id)
        if (user === undefined || Number.isNaN(user))
          return (
            <Empty icon="statistics" title={w.noSellers} isPage>
              <p>{w.noSellersWhy}</p>
              <a href="#/worlds">{w.newWorld}</a>
            </Empty>
          )
        if (!clock.value) return <Skeleton />
        const sellers = results.map((one) => [String(one.id), visible(one.nickname)] as const)
        return <SellerStatistics key={user} user={user} sellers={sellers} query={query} />
      }}
    </Show>
  )
}
