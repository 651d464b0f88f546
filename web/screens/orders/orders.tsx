import { DialogButton } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/feedback.tsx'
import { FilterBar, NoMatch, RemovableFilter, SearchField, UserFilter } from '../../parts/filters.tsx'
import { Select } from '../../parts/form.tsx'
import { Split } from '../../parts/split.tsx'
import { type Column, PagedTable } from '../../parts/table.tsx'
import { visible } from '../../parts/text.tsx'
import { mercadito } from '../../snippets/call.ts'
import { distanceOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { type Address, formatAddress, numberIn } from '../../world/address.ts'
import { baseUrl, read } from '../../world/client.ts'
import { worldNow } from '../../world/clock.ts'
import { setQuery } from '../../world/navigation.ts'
import { usePages } from '../../world/use_pages.ts'
import { words } from '../words.ts'
import { BuyForm } from './forms.tsx'
import { OpenedOrder, ShipmentBadge, Status } from './order.tsx'
import { changesSales, type Order, SHIPMENT_STATUSES, type Shipment, STATUSES, totalOf } from './sale.ts'

const PAGE = 50
/** In px, for two lines. */
const ROW_HEIGHT = 56
/** Members of the address that filter the list. */
const FILTERS = ['status', 'shipment', 'seller', 'buyer', 'item', 'q']

/** `#/orders/2000010000000001?seller=2500000101&status=paid` */
export default function Orders({ path: [id], query }: Address) {
  const w = words().orders
  const open = id === undefined ? undefined : numberIn(id)
  const buy = (style: string, keys?: string) => (
    <DialogButton
      class={style}
      title={w.buy}
      {...(keys && { keys })}
      dialog={(close) => <BuyForm item={query.item} filters={query} onClose={close} />}
    />
  )
  const list = (
    <>
      <FilterBar title={w.title}>
        {buy('primary small', '+')}
        <Select
          label={w.status}
          value={query.status ?? ''}
          options={[['', w.all], ...STATUSES.map((one) => [one, w[one]] as const)]}
          onValue={(status) => setQuery({ status })}
        />
        <Select
          label={w.shipment}
          value={query.shipment ?? ''}
          options={[['', w.allShipments], ...SHIPMENT_STATUSES.map((one) => [one, w.states[one]] as const)]}
          onValue={(shipment) => setQuery({ shipment })}
        />
        <UserFilter label={w.seller} name="seller" value={query.seller} />
        <SearchField label={w.search} value={query.q} maxLength={100} />
        <RemovableFilter name="buyer" title={w.buyer} value={query.buyer} />
        <RemovableFilter name="item" title={w.listing} value={query.item} />
      </FilterBar>
      <PagedTable
        pages={useOrders(query)}
        empty={
          FILTERS.some((name) => query[name]) ? (
            <NoMatch title={w.noMatch} filters={FILTERS} />
          ) : (
            <Empty icon="orders" title={w.none} command={mercadito('buy MLA1400000001', baseUrl)}>
              <p>{w.noneWhy}</p>
              {buy('primary')}
            </Empty>
          )
        }
        label={w.title}
        columns={columns()}
        hrefOf={(order) => formatAddress('orders', [order.id], query)}
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
      title={`${w.order} ${id}`}
      detail={open === undefined ? undefined : <OpenedOrder key={open} id={open} />}
    />
  )
}

const numberOf = (text: string | undefined) => (text ? Number(text) : undefined)

/** An order with where its shipment is. */
type Row = Order & { shipment: Pick<Shipment, 'status' | 'substatus'> | undefined }

const useOrders = ({ status, shipment, seller, buyer, item, q }: Record<string, string>) =>
  usePages<Row>({
    key: JSON.stringify([status, shipment, seller, buyer, item, q]),
    idOf: ({ id }) => id,
    refreshOn: changesSales,
    load: async (before, signal) => {
      const query = {
        ...{ status: (status || undefined) as Order['status'] | undefined, item_id: item || undefined },
        shipping_status: (shipment || undefined) as Shipment['status'] | undefined,
        ...{ seller_id: numberOf(seller), buyer_id: numberOf(buyer), q: q || undefined, before, limit: PAGE },
      }
      const { paging, results } = await read('GET /orders', { query, ...(signal && { signal }) })
      const shipments = await shipmentsOf(results, signal)
      return { paging, results: results.map((order) => ({ ...order, shipment: shipments.get(order.shipping.id) })) }
    },
  })

async function shipmentsOf(orders: Order[], signal: AbortSignal | undefined) {
  const ids = [...new Set(orders.flatMap(({ shipping }) => shipping.id ?? []))].map(String)
  const query = { ids, limit: PAGE }
  const found = ids.length === 0 ? [] : (await read('GET /shipments', { query, ...(signal && { signal }) })).results
  return new Map<number | null, (typeof found)[number]>(found.map((one) => [one.id, one]))
}

function columns(): Column<Row>[] {
  const w = words().orders
  return [
    {
      title: w.order,
      width: 'minmax(8rem, 1fr)',
      cell: (order) => (
        <span class="two-lines">
          <bdi>{visible(order.order_items[0]!.item.title)}</bdi>
          <span class="second-line">
            <Status order={order} />
            <span class="mono muted">{order.id}</span>
          </span>
        </span>
      ),
    },
    {
      title: w.shipment,
      width: '8rem',
      isWide: true,
      cell: ({ shipment }) => shipment && <ShipmentBadge shipment={{ ...shipment, substatus: null }} />,
    },
    { title: w.seller, width: '9rem', isWide: true, cell: ({ seller }) => <bdi>{visible(seller.nickname)}</bdi> },
    { title: w.buyer, width: '9rem', isWide: true, cell: ({ buyer }) => <bdi>{visible(buyer.nickname)}</bdi> },
    {
      title: w.units,
      width: '5rem',
      isWide: true,
      isNumber: true,
      cell: (order) => number(order.order_items[0]!.quantity),
    },
    { title: w.total, width: '8rem', isNumber: true, cell: totalOf },
    { title: w.date, width: '6rem', isNumber: true, isWide: true, cell: (order) => <Age order={order} /> },
  ]
}

const Age = ({ order: { date_created } }: { order: Order }) => {
  const now = worldNow.value
  return now === undefined ? null : <time dateTime={date_created}>{distanceOf(Date.parse(date_created), now)}</time>
}
