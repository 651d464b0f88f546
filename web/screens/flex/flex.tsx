import type { BodyOf } from '../../../lib/types.ts'
import { DialogButton, FormDialog } from '../../parts/dialog.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { FilterBar, NoMatch, UserFilter } from '../../parts/filters.tsx'
import { Input, Options, titled } from '../../parts/form.tsx'
import { Split } from '../../parts/split.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { foreign, visible } from '../../parts/values.tsx'
import { mercadito } from '../../snippets/call.ts'
import { type Address, formatAddress } from '../../world/address.ts'
import { baseUrl, change } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { openDetail } from '../../world/navigation.ts'
import { useSellers } from '../subjects.tsx'
import { wordsOf } from '../words.ts'
import { Service } from './service.tsx'
import { isFlexChange, StateBadge, type Subscription } from './subscription.tsx'

const w = wordsOf('flex')

/** `#/flex/2500000101/736230` */
export default function Flex({ path: [user, service], query }: Address) {
  const subscriptions = useCall(
    'GET /flex/subscriptions',
    { query: { limit: 1000, user_id: query.seller ? Number(query.seller) : undefined } },
    { refreshOn: isFlexChange },
  )
  const names = useSellers()
  const opened = subscriptions.data?.results.find(
    (one) => String(one.user_id) === user && String(one.service_id) === service,
  )
  const list = (
    <>
      <FilterBar>
        <DialogButton title={w.create} keys="+">
          <NewSubscription />
        </DialogButton>
        <UserFilter label={w.seller} name="seller" />
      </FilterBar>
      <Show loaded={subscriptions}>
        {({ results }) =>
          results.length === 0 ? (
            <NoMatch title={w.none} filters={['seller']}>
              <Empty icon="flex" title={w.none} command={mercadito('flex activate 2500000101', baseUrl)}>
                <p>{w.noneWhy}</p>
              </Empty>
            </NoMatch>
          ) : (
            <Table
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
  )
  const detail = opened ? (
    <Service key={opened.id} subscription={opened} seller={names.get(opened.user_id)} />
  ) : (
    subscriptions.data && <Empty icon="flex" title={w.gone} />
  )
  return <Split list={list} title={w.service(service ?? '')} detail={user !== undefined && detail} />
}

const columns = (names: Map<number, string>): Column<Subscription>[] => [
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
    cell: ({ user_id }) => foreign(names.get(user_id) ?? String(user_id)),
  },
  { title: w.state, width: '6.5rem', cell: (subscription) => <StateBadge subscription={subscription} /> },
]

const MODES = ['FLEX', 'TURBO'] as const
const STATES = ['pending', 'in', 'out', 'creating', 'activating'] as const

function NewSubscription() {
  const submit = async (body: BodyOf<'POST /flex/subscriptions'>) => {
    const made = await change(w.create, 'POST /flex/subscriptions', { body })
    openDetail(made.user_id, made.service_id)
  }
  return (
    <FormDialog title={w.create} onSubmit={submit}>
      <p class="muted">{w.createHint}</p>
      <Input label={w.seller} name="user_id" required inputMode="numeric" pattern="\d+" hint={w.userHint} autofocus />
      <div class="field-row">
        <Options label={w.mode} name="mode" options={MODES} />
        <Options label={w.state} name="status" options={titled(STATES, w)} />
        <Input label={w.training} name="training_days" type="number" min={1} max={365} />
      </div>
    </FormDialog>
  )
}
