import { useState } from 'preact/hooks'
import type { BodyOf, Schemas } from '../../../lib/types.ts'
import { CopyCurl } from '../../parts/copy_as.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { FactList } from '../../parts/facts.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { FilterBar, NoMatch, SearchField, UserFilter } from '../../parts/filters.tsx'
import { Select } from '../../parts/form.tsx'
import { Body } from '../../parts/json.tsx'
import { useKeys } from '../../parts/keys.ts'
import { LimitedTable } from '../../parts/rows.tsx'
import { Split } from '../../parts/split.tsx'
import type { Column } from '../../parts/table.tsx'
import { visible } from '../../parts/text.tsx'
import { attempt } from '../../parts/toasts.tsx'
import { money } from '../../words/money.ts'
import { dateTimeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { type Address, formatAddress } from '../../world/address.ts'
import { change, orNull, read } from '../../world/client.ts'
import { useCall, useLoad } from '../../world/load.ts'
import { setQuery } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { BuyForm } from '../orders/forms.tsx'
import { words } from '../words.ts'
import { Content } from './content.tsx'
import { type Item, ItemForm, STATUSES, type Status } from './form.tsx'

type Row = Schemas['ListedItem']

const TONES: Record<Status, 'good' | 'warn' | 'bad' | 'info' | 'plain'> = {
  active: 'good',
  paused: 'warn',
  under_review: 'info',
  closed: 'plain',
  inactive: 'plain',
}
const FILTERS = ['seller', 'status', 'q']
/** In px, for two lines. */
const ROW_HEIGHT = 56
/** Questions are counted. */
const REFRESH_MS = 2000

/** `#/listings/MLA1400000001?seller=2500000101&status=paused` */
export default function Listings({ path: [open], query }: Address) {
  const w = words().listings
  const { seller, status, q } = query
  const [limit, setLimit] = useState(100)
  const sellers = useCall('GET /users', { query: { kind: 'seller', limit: 1000 } }).data?.results ?? []
  const names = new Map(sellers.map(({ id, nickname }) => [id, nickname]))
  const loaded = useCall(
    'GET /items',
    {
      query: {
        ...{ q: q || undefined, status: (status || undefined) as Status | undefined },
        ...{ seller_id: seller ? Number(seller) : undefined, counts: 'true', limit },
      },
    },
    { refreshOn: ({ type }) => type === 'control' || type === 'fact', refreshMs: REFRESH_MS },
  )
  const list = (
    <>
      <FilterBar title={w.title}>
        <DialogButton
          class="primary small"
          title={w.create}
          keys="+"
          dialog={(close) => <ItemForm seller={seller} onClose={close} again={loaded.again} />}
        />
        <UserFilter label={w.seller} name="seller" value={seller} />
        <Select
          label={w.status}
          value={status ?? ''}
          options={[['', w.all], ...STATUSES.map((one) => [one, w[one]] as const)]}
          onValue={(one) => setQuery({ status: one })}
        />
        <SearchField label={w.search} value={q} maxLength={100} />
      </FilterBar>
      <LimitedTable
        loaded={loaded}
        onLimit={setLimit}
        empty={
          FILTERS.some((name) => query[name]) ? (
            <NoMatch title={w.noMatch} filters={FILTERS} />
          ) : (
            <Empty icon="listings" title={w.none} />
          )
        }
        label={w.title}
        columns={columns(names)}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => formatAddress('listings', [id], query)}
        openKey={open}
        rowHeight={ROW_HEIGHT}
        countOf={w.count}
      />
    </>
  )
  return (
    <Split
      heading={w.title}
      list={list}
      title={open ?? ''}
      detail={open === undefined ? undefined : <Opened key={open} id={open} />}
    />
  )
}

function columns(names: Map<number, string>): Column<Row>[] {
  const w = words().listings
  const count = (title: string, value: (row: Row) => number | undefined): Column<Row> => ({
    ...{ title, width: '5.6rem', isWide: true, isNumber: true },
    cell: (row) => number(value(row) ?? 0),
  })
  return [
    {
      title: w.listing,
      width: 'minmax(8rem, 1fr)',
      cell: (row) => (
        <span class="two-lines">
          <bdi>{visible(row.title)}</bdi>
          <span class="second-line">
            <Badges item={row} />
            <span class="mono muted">{row.id}</span>
          </span>
        </span>
      ),
    },
    {
      title: w.seller,
      width: '8.5rem',
      isWide: true,
      cell: ({ seller_id }) => <bdi>{visible(names.get(seller_id) ?? String(seller_id))}</bdi>,
    },
    count(w.stock, (row) => row.available_quantity),
    count(w.sold, (row) => row.sold_quantity),
    count(w.questions, (row) => row.questions),
    count(w.unanswered, (row) => row.unanswered),
    count(w.contacts, (row) => row.contacts),
    { title: w.price, width: '7.5rem', isNumber: true, cell: priceOf },
  ]
}

const priceOf = ({ price, currency_id, id }: Item) => money(price, currency_id, id)

const Badges = ({ item: { status, in_flex } }: { item: Item }) => (
  <>
    <span class="badge" data-tone={TONES[status]}>
      {words().listings[status]}
    </span>
    {in_flex && <span class="badge">Flex</span>}
  </>
)

function Opened({ id }: { id: string }) {
  const w = words().listings
  const loaded = useLoad((signal) => orNull(read('GET /items/{id}', { path: { id }, signal })), {
    refreshOn: (event) => event.type === 'control' || (event.type === 'fact' && event.resource === `/items/${id}`),
  })
  return (
    <Show loaded={loaded}>
      {(item) =>
        item ? <Detail item={item} again={loaded.again} /> : <Empty icon="listings" title={w.gone(visible(id))} />
      }
    </Show>
  )
}

function Detail({ item, again }: { item: Item; again(): void }) {
  const w = words().listings
  const { id, title, status, in_flex, seller_id, shipping, seller_sku, available_quantity, date_created } = item
  const seller = useCall('GET /users/{id}', { path: { id: seller_id } }).data
  const patch = (label: string, body: BodyOf<'PATCH /items/{id}'>) =>
    void attempt(() => change(label, 'PATCH /items/{id}', { path: { id }, body })).then(again, () => {})
  const toggle =
    status === 'active' ? ({ to: 'paused', label: w.pause } as const) : { to: 'active' as const, label: w.activate }
  const actions = [
    { keys: 's', title: toggle.label, run: () => patch(toggle.label, { status: toggle.to }) },
    { keys: 'x', title: in_flex ? w.flexOff : w.flexOn, run: () => patch('Flex', { in_flex: !in_flex }) },
  ]
  useKeys(canChange.value ? actions : [])
  return (
    <article class="stack">
      <header class="detail-head">
        <h2>
          <bdi>{visible(title)}</bdi>
        </h2>
        <p class="row">
          <span class="mono muted">{id}</span> <Badges item={item} />
        </p>
        <div class="actions">
          <DialogButton
            title={w.edit}
            keys="e"
            dialog={(close) => <ItemForm item={item} onClose={close} again={again} />}
          />
          {status === 'active' && (
            <DialogButton title={w.buy} keys="b" dialog={(close) => <BuyForm item={id} onClose={close} />} />
          )}
          {canChange.value &&
            actions.map(({ keys, title: label, run }) => (
              <button key={keys} type="button" onClick={run}>
                {label} <kbd>{keys}</kbd>
              </button>
            ))}
          <CopyCurl call={{ call: 'GET /items/{id}', input: { path: { id } } }} />
        </div>
      </header>
      <FactList
        of={[
          [w.price, priceOf(item)],
          [w.stock, number(available_quantity)],
          [w.sold, number(item.sold_quantity)],
          [w.condition, item.condition],
          [w.category, [item.category_id, item.domain_id].filter(Boolean).join(' · ')],
          ...(item.sub_status.length > 0 ? ([[w.reasons, item.sub_status.join(', ')]] as const) : []),
          [
            w.seller,
            <a key="seller" href={formatAddress('users', [seller_id])}>
              <bdi>{visible(seller?.nickname ?? '')}</bdi> {seller_id}
            </a>,
          ],
          [w.shipping, shipping.mode],
          [w.sku, seller_sku],
          [w.created, dateTimeOf(date_created)],
        ]}
      />
      <Content item={item} />
      <details>
        <summary>{w.members}</summary>
        <Body text={JSON.stringify(item)} />
      </details>
      <p class="row">
        <a href={formatAddress('orders', [], { item: id })}>{words().orders.title}</a>
        <a href={formatAddress('questions', [], { item: id })}>{w.questions}</a>
        <a href={formatAddress('statistics', [seller_id], { item: id })}>{w.contacts}</a>
        <a href={formatAddress('requests', [], { q: id })}>{w.calls}</a>
        <a href={formatAddress('live', [], { item: id })}>{w.asBuyer}</a>
      </p>
    </article>
  )
}
