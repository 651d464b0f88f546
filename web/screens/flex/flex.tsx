import { DialogButton, FormDialog } from '../../parts/dialog.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { FilterBar, NoMatch, UserFilter } from '../../parts/filters.tsx'
import { Input, Options, type Values } from '../../parts/form.tsx'
import { Split } from '../../parts/split.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { visible } from '../../parts/text.tsx'
import { mercadito } from '../../snippets/call.ts'
import { type Address, formatAddress } from '../../world/address.ts'
import { baseUrl, change } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { openDetail } from '../../world/navigation.ts'
import { words } from '../words.ts'
import { Service } from './service.tsx'
import { isFlexChange, StateBadge, type Subscription } from './subscription.tsx'

/** `#/flex/2500000101/736230` */
export default function Flex({ path: [user, service], query }: Address) {
  const w = words().flex
  const subscriptions = useCall(
    'GET /flex/subscriptions',
    { query: { limit: 1000, ...(query.seller && { user_id: Number(query.seller) }) } },
    { refreshOn: isFlexChange },
  )
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
            <UserFilter label={w.seller} name="seller" value={query.seller} />
          </FilterBar>
          <Show loaded={subscriptions}>
            {({ results }) =>
              results.length === 0 && query.seller ? (
                <NoMatch title={w.none} filters={['seller']} />
              ) : results.length === 0 ? (
                <Empty icon="flex" title={w.none} command={mercadito('flex activate 2500000101', baseUrl)}>
                  <p>{w.noneWhy}</p>
                </Empty>
              ) : (
                <Table
                  label={w.title}
                  columns={columns(names)}
                  rows={results}
                  keyOf={({ id }) => id}
                  hrefOf={({ user_id, service_id }) => formatAddress('flex', [user_id, service_id], query)}
                  openKey={opened?.id}
                  footer={w.count(results.length)}
                />
              )
            }
          </Show>
        </>
      }
      title={w.service(service ?? '')}
      detail={
        user === undefined ? undefined : opened ? (
          <Service
            key={opened.id}
            subscription={opened}
            seller={names.get(opened.user_id) ?? ''}
            again={subscriptions.again}
          />
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
      width: 'minmax(7.5rem, 1fr)',
      cell: ({ service_id, mode, origin }) => (
        <>
          {service_id} {mode} {origin && <span class="muted">{visible(origin.city)}</span>}
        </>
      ),
    },
    {
      title: w.seller,
      width: 'minmax(7rem, 1fr)',
      cell: ({ user_id }) => <bdi>{visible(names.get(user_id) ?? String(user_id))}</bdi>,
    },
    { title: w.state, width: '6.5rem', cell: (subscription) => <StateBadge subscription={subscription} /> },
  ]
}

const MODES = ['FLEX', 'TURBO'] as const
const STATES = ['pending', 'in', 'out', 'creating', 'activating'] as const

function NewSubscription({ onClose }: { onClose(): void }) {
  const w = words().flex
  const submit = async ({ user_id, mode, status, training_days }: Values) => {
    const body = {
      user_id: Number(user_id),
      mode: mode as (typeof MODES)[number],
      status: status as (typeof STATES)[number],
      ...(training_days && { training_days: Number(training_days) }),
    }
    const made = await change(w.create, 'POST /flex/subscriptions', { body })
    openDetail(made.user_id, made.service_id)
  }
  return (
    <FormDialog title={w.create} action={w.create} onSubmit={submit} onClose={onClose}>
      <p class="muted">{w.createHint}</p>
      <Input label={w.seller} name="user_id" required inputMode="numeric" pattern="\d+" hint={w.userHint} autofocus />
      <div class="field-row">
        <Options label={w.mode} name="mode" options={MODES.map((mode) => [mode, mode] as const)} />
        <Options label={w.state} name="status" options={STATES.map((state) => [state, w[state]] as const)} />
        <Input label={w.training} name="training_days" type="number" min={1} max={365} />
      </div>
    </FormDialog>
  )
}
