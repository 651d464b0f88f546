import type { BodyOf, Schemas } from '../../../lib/types.ts'
import { CopyCurl } from '../../parts/copy_as.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { Empty, Found } from '../../parts/feedback.tsx'
import { FilterBar, NoMatch, SearchField, SelectFilter, UserFilter } from '../../parts/filters.tsx'
import { titled } from '../../parts/form.tsx'
import { Body } from '../../parts/json.tsx'
import { ActionButtons, DetailHead, TwoLines } from '../../parts/page.tsx'
import { ListTable } from '../../parts/rows.tsx'
import { Split } from '../../parts/split.tsx'
import type { Column } from '../../parts/table.tsx'
import { Badge, FactList, foreign, type Tone, visible } from '../../parts/values.tsx'
import { money } from '../../words/money.ts'
import { dateTimeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { type Address, filtersOf, formatAddress } from '../../world/address.ts'
import { change } from '../../world/client.ts'
import { useCall, useFound } from '../../world/load.ts'
import { useWhole } from '../../world/use_pages.ts'
import { titleOf } from '../index.ts'
import { BuyForm } from '../orders/forms.tsx'
import { UserLink, useSellers } from '../subjects.tsx'
import { wordsOf } from '../words.ts'
import { Content } from './content.tsx'
import { type Item, ItemForm, STATUSES, type Status } from './form.tsx'

const w = wordsOf('listings')

type Row = Schemas['ListedItem']

/** Members of the address that filter the list. */
const FILTERS = ['seller', 'status', 'q']

const TONES: Record<Status, Tone> = {
  active: 'good',
  paused: 'warn',
  under_review: 'info',
  closed: 'plain',
  inactive: 'plain',
}
/** Questions are counted. */
const REFRESH_MS = 2000

/** `#/listings/MLA1400000001?seller=2500000101&status=paused` */
export default function Listings({ path: [open], query }: Address) {
  const items = useWhole(
    'GET /items',
    { ...filtersOf(query, FILTERS), counts: 'true' },
    { refreshOn: ['control', 'fact'], refreshMs: REFRESH_MS },
  )
  const list = (
    <>
      <FilterBar>
        <DialogButton class="primary small" title={w.create} keys="+">
          <ItemForm seller={query.seller} />
        </DialogButton>
        <UserFilter label={w.seller} name="seller" />
        <SelectFilter label={w.status} name="status" all={w.all} options={titled(STATUSES, w)} />
        <SearchField label={w.search} maxLength={100} />
      </FilterBar>
      <ListTable
        list={items}
        empty={
          <NoMatch title={w.noMatch} filters={FILTERS}>
            <Empty icon="listings" title={w.none} />
          </NoMatch>
        }
        columns={columns(useSellers())}
        openKey={open}
        isTall
        countOf={w.count}
      />
    </>
  )
  return <Split list={list} title={open ?? ''} detail={open !== undefined && <Opened key={open} id={open} />} />
}

function columns(names: Map<number, string>): Column<Row>[] {
  const count = (title: string, value: (row: Row) => number | undefined): Column<Row> => ({
    ...{ title, width: '5.6rem', class: 'wide number' },
    cell: (row) => number(value(row) ?? 0),
  })
  return [
    {
      title: w.listing,
      width: 'minmax(8rem, 1fr)',
      cell: (row) => (
        <TwoLines first={foreign(row.title)}>
          <Badges item={row} />
          <span class="mono muted">{row.id}</span>
        </TwoLines>
      ),
    },
    {
      title: w.seller,
      width: '8.5rem',
      class: 'wide',
      cell: ({ seller_id }) => foreign(names.get(seller_id) ?? String(seller_id)),
    },
    count(w.stock, (row) => row.available_quantity),
    count(w.sold, (row) => row.sold_quantity),
    count(w.questions, (row) => row.questions),
    count(w.unanswered, (row) => row.unanswered),
    count(w.contacts, (row) => row.contacts),
    { title: w.price, width: '7.5rem', class: 'number', cell: priceOf },
  ]
}

const priceOf = ({ price, currency_id, id }: Item) => money(price, currency_id, id)

const Badges = ({ item: { status, in_flex } }: { item: Item }) => (
  <>
    <Badge tone={TONES[status]}>{w[status]}</Badge>
    {in_flex && <Badge>Flex</Badge>}
  </>
)

function Opened({ id }: { id: string }) {
  const loaded = useFound(
    'GET /items/{id}',
    { path: { id } },
    { refreshOn: (event) => event.type === 'control' || (event.type === 'fact' && event.resource === `/items/${id}`) },
  )
  return (
    <Found loaded={loaded} gone={w.gone(visible(id))}>
      {(item) => <Detail item={item} />}
    </Found>
  )
}

function Detail({ item }: { item: Item }) {
  const { id, title, status, in_flex, seller_id, shipping, seller_sku, available_quantity, date_created } = item
  const seller = useCall('GET /users/{id}', { path: { id: seller_id } }).data
  const patch = (label: string, body: BodyOf<'PATCH /items/{id}'>) => () =>
    change(label, 'PATCH /items/{id}', { path: { id }, body })
  const toggle = status === 'active' ? w.pause : w.activate
  const actions = [
    { keys: 's', title: toggle, run: patch(toggle, { status: status === 'active' ? 'paused' : 'active' }) },
    { keys: 'x', title: in_flex ? w.flexOff : w.flexOn, run: patch('Flex', { in_flex: !in_flex }) },
  ]
  return (
    <article class="stack">
      <DetailHead title={title} id={id} badges={<Badges item={item} />}>
        <DialogButton title={w.edit} keys="e">
          <ItemForm item={item} />
        </DialogButton>
        {status === 'active' && (
          <DialogButton title={w.buy} keys="b">
            <BuyForm item={id} />
          </DialogButton>
        )}
        <ActionButtons of={actions} />
        <CopyCurl call={{ call: 'GET /items/{id}', input: { path: { id } } }} />
      </DetailHead>
      <FactList
        of={[
          [w.price, priceOf(item)],
          [w.stock, number(available_quantity)],
          [w.sold, number(item.sold_quantity)],
          [w.condition, item.condition],
          [w.category, [item.category_id, item.domain_id].filter(Boolean).join(' · ')],
          ...(item.sub_status.length > 0 ? ([[w.reasons, item.sub_status.join(', ')]] as const) : []),
          [w.seller, <UserLink key="seller" id={seller_id} nickname={seller?.nickname} />],
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
        <a href={formatAddress('orders', [], { item: id })}>{titleOf('orders')}</a>
        <a href={formatAddress('questions', [], { item: id })}>{w.questions}</a>
        <a href={formatAddress('statistics', [seller_id], { item: id })}>{w.contacts}</a>
        <a href={formatAddress('requests', [], { q: id })}>{w.callsWithIt}</a>
        <a href={formatAddress('live', [], { item: id })}>{w.asBuyer}</a>
      </p>
    </article>
  )
}
