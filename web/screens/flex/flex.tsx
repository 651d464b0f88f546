import { DialogButton } from '../../parts/dialog_button.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { FilterBar } from '../../parts/filters.tsx'
import { Split } from '../../parts/split.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { visible } from '../../parts/text.ts'
import { mercadito } from '../../snippets/curl.ts'
import { baseUrl } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import type { ScreenProps } from '../screen.ts'
import { words } from '../words.ts'
import { NewSubscription } from './create.tsx'
import { isFlexChange, type Subscription } from './ranges.ts'
import { Service } from './service.tsx'
import { StateBadge } from './state.tsx'

/** `#/flex/2500000101/736230` */
export default function Flex({ path: [user, service] }: ScreenProps) {
  const w = words().flex
  const subscriptions = useCall('GET /flex/subscriptions', { query: { limit: 1000 } }, { refreshOn: isFlexChange })
  const sellers = useCall('GET /users', { query: { kind: 'seller', limit: 1000 } }).data?.results ?? []
  const names = new Map(sellers.map(({ id, nickname }) => [id, nickname]))
  const opened = subscriptions.data?.results.find(
    (one) => String(one.user_id) === user && String(one.service_id) === service,
  )
  return (
    <Split
      heading={w.title}
      list={
        <>
          <FilterBar title={w.title}>
            <DialogButton title={w.create} keys="+" dialog={(close) => <NewSubscription onClose={close} />} />
          </FilterBar>
          <Show loaded={subscriptions}>
            {({ results }) =>
              results.length === 0 ? (
                <Empty icon="flex" title={w.none} command={mercadito('flex activate 2500000101', baseUrl)}>
                  <p>{w.noneWhy}</p>
                </Empty>
              ) : (
                <Table
                  label={w.title}
                  columns={columns(names)}
                  rows={results}
                  keyOf={({ id }) => id}
                  hrefOf={({ user_id, service_id }) => `#/flex/${user_id}/${service_id}`}
                  openKey={opened?.id}
                />
              )
            }
          </Show>
        </>
      }
      title={w.service(service ?? '')}
      detail={
        user === undefined ? undefined : opened ? (
          <Service key={opened.id} subscription={opened} again={subscriptions.again} />
        ) : (
          subscriptions.data && <Empty icon="flex" title={w.gone} />
        )
      }
    />
  )
}

function columns(names: Map<number, string>): Column<Subscription>[] {
  const w = words().flex
  return [
    {
      title: w.serviceTitle,
      width: '7.5rem',
      cell: ({ service_id, mode }) => `${service_id} ${mode}`,
    },
    {
      title: w.seller,
      width: 'minmax(7rem, 1fr)',
      cell: ({ user_id }) => <bdi>{visible(names.get(user_id) ?? String(user_id))}</bdi>,
    },
    { title: w.state, width: '6.5rem', cell: (subscription) => <StateBadge subscription={subscription} /> },
  ]
}
