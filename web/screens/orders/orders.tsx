import type { Operations } from '../../../lib/types.ts'
import { DialogButton } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/feedback.tsx'
import { FilterBar, NoMatch, RemovableFilter, SearchField, SelectFilter, UserFilter } from '../../parts/filters.tsx'
import { titled } from '../../parts/form.tsx'
import { TwoLines } from '../../parts/page.tsx'
import { ListTable } from '../../parts/rows.tsx'
import { Split } from '../../parts/split.tsx'
import type { Column } from '../../parts/table.tsx'
import { foreign } from '../../parts/values.tsx'
import { mercadito } from '../../snippets/call.ts'
import { distanceOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { type Address, filtersOf, numberIn } from '../../world/address.ts'
import { baseUrl, read } from '../../world/client.ts'
import { worldNow } from '../../world/clock.ts'
import { usePages } from '../../world/use_pages.ts'
import { wordsOf } from '../words.ts'
import { BuyForm } from './forms.tsx'
import { OpenedOrder, ShipmentBadge, Status } from './order.tsx'
import { changesSales, type Order, SHIPMENT_STATUSES, type Shipment, STATUSES, totalOf } from './sale.ts'

const w = wordsOf('orders')

/** Members of the address that filter the list. */
const FILTERS = ['status', 'shipment', 'seller', 'buyer', 'item', 'q']

/** `#/orders/2000010000000001?seller=2500000101&status=paid` */
export default function Orders({ path: [id], query }: Address) {
  const open = id === undefined ? undefined : numberIn(id)
  const buy = (style: string, keys?: string) => (
    <DialogButton class={style} title={w.buy} keys={keys}>
      <BuyForm item={query.item} filters={query} />
    </DialogButton>
  )
  const list = (
    <>
      <FilterBar>
        {buy('primary small', '+')}
        <SelectFilter label={w.status} name="status" all={w.allFeminine} options={titled(STATUSES, w)} />
        <SelectFilter label={w.shipment} name="shipment" options={titled(SHIPMENT_STATUSES, w.states)} />
        <UserFilter label={w.seller} name="seller" />
        <SearchField label={w.search} maxLength={100} />
        <RemovableFilter name="buyer" label={w.buyer} />
        <RemovableFilter name="item" label={w.listing} />
      </FilterBar>
      <ListTable
        list={useOrders(query)}
        empty={
          <NoMatch title={w.noMatch} filters={FILTERS}>
            <Empty icon="orders" title={w.none} command={mercadito('buy MLA1400000001', baseUrl)}>
              <p>{w.noneWhy}</p>
              {buy('primary')}
            </Empty>
          </NoMatch>
        }
        columns={columns()}
        openKey={open}
        isTall
        countOf={w.count}
      />
    </>
  )
  return (
    <Split list={list} title={`${w.order} ${id}`} detail={open !== undefined && <OpenedOrder key={open} id={open} />} />
  )
}

/** An order with where its shipment is. */
type Row = Order & { shipment: Pick<Shipment, 'status' | 'substatus'> | undefined }

const useOrders = (query: Record<string, string>) =>
  usePages<Operations['GET /orders']['query'], Row>({
    filters: filtersOf(query, FILTERS),
    refreshOn: changesSales,
    load: async (query, signal) => {
      const { paging, results } = await read('GET /orders', { query, signal })
      const shipments = await shipmentsOf(results, signal)
      return { paging, results: results.map((order) => ({ ...order, shipment: shipments.get(order.shipping.id) })) }
    },
  })

async function shipmentsOf(orders: Order[], signal: AbortSignal | undefined) {
  const ids = [...new Set(orders.flatMap(({ shipping }) => shipping.id ?? []))].map(String)
  const query = { ids, limit: ids.length }
  const found = ids.length === 0 ? [] : (await read('GET /shipments', { query, signal })).results
  return new Map<number | null, (typeof found)[number]>(found.map((one) => [one.id, one]))
}

const columns = (): Column<Row>[] => [
  {
    title: w.order,
    width: 'minmax(8rem, 1fr)',
    cell: (order) => (
      <TwoLines first={foreign(order.order_items[0]!.item.title)}>
        <Status order={order} />
        <span class="mono muted">{order.id}</span>
      </TwoLines>
    ),
  },
  {
    title: w.shipment,
    width: '8rem',
    class: 'wide',
    cell: ({ shipment }) => shipment && <ShipmentBadge shipment={{ ...shipment, substatus: null }} />,
  },
  { title: w.seller, width: '9rem', class: 'wide', cell: ({ seller }) => foreign(seller.nickname) },
  { title: w.buyer, width: '9rem', class: 'wide', cell: ({ buyer }) => foreign(buyer.nickname) },
  { title: w.units, width: '5rem', class: 'wide number', cell: (order) => number(order.order_items[0]!.quantity) },
  { title: w.total, width: '8rem', class: 'number', cell: totalOf },
  { title: w.date, width: '6rem', class: 'wide number', cell: (order) => <Age order={order} /> },
]

const Age = ({ order: { date_created } }: { order: Order }) => {
  const now = worldNow.value
  return now === undefined ? null : <time dateTime={date_created}>{distanceOf(Date.parse(date_created), now)}</time>
}
