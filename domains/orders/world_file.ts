import type { Q } from '../../db/engine.ts'
import { insertInto } from '../../db/rows.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { setSold } from '../items/operations.ts'
import { itemById } from '../items/queries.ts'
import { blockListOf } from '../shared/world_file/block_list.ts'
import { duplicate, importNumbered } from '../shared/world_file/import_elements.ts'
import { counterOf, rowsById, setLastRowId } from '../shared/world_file/operations.ts'
import { storageOf } from '../shared/world_file/table_list.ts'
import { type ImportContext, type WorldFileSection, worldFileList } from '../world_file.ts'
import { insertNote, nextNoteId } from './after_sale_operations.ts'
import { orderOfItem } from './buy_operations.ts'
import { FileFeedback, FileNote, FileOrder, FilePayment } from './file_schemas.ts'
import { newPayment } from './operations.ts'
import { blockList, feedbackRowsOf, notesOf, paymentsOf } from './queries.ts'
import { isPaid } from './states.ts'
import {
  type FeedbackRow,
  FIRST_FEEDBACK_ID,
  FIRST_ORDER_ID,
  FIRST_PAYMENT_ID,
  type NoteRow,
  type OrderRow,
  order_feedback,
  type PaymentRow,
  payment,
  sale_order,
} from './tables.ts'

const orderStorage = storageOf(FileOrder)
const paymentStorage = storageOf(FilePayment)
const feedbackStorage = storageOf(FileFeedback)
const noteStorage = storageOf(FileNote)
const insertOrder = insertInto(sale_order)
const insertPayment = insertInto(payment)
const insertFeedback = insertInto(order_feedback)

/** The row of an order without its id. */
async function readOrder(context: ImportContext, element: FileOrder, place: string): Promise<Omit<OrderRow, 'id'>> {
  const { seller_id } = context.items.resolve(place, element.item_id)
  const item = (await itemById(context.q, element.item_id))!
  const { payments: _, feedback: __, notes: ___, ...columns } = orderStorage.columnsOf(context, element, place)
  const row = columns as unknown as OrderRow
  if (row.buyer_id === seller_id) throw badRequest(`${place}.buyer_id: the seller cannot buy from themselves`)
  const { unit_price, date_created } = row
  const listing = orderOfItem(item, undefined, { price: unit_price ?? undefined, isTest: false })
  const isClosed = isPaid(row) || row.status === 'confirmed'
  return {
    ...row,
    ...{ site_id: item.site_id, seller_id, currency_id: item.currency_id, unit_price: listing.unit_price },
    full_unit_price: row.full_unit_price ?? listing.full_unit_price,
    sale_fee: row.sale_fee ?? listing.sale_fee,
    item: element.item === undefined ? listing.item : row.item,
    mediations: listing.mediations,
    date_closed: element.date_closed === undefined && isClosed ? date_created : row.date_closed,
    last_updated: element.last_updated === undefined ? date_created : row.last_updated,
  }
}

/** The payment of an order whose element names none. */
function defaultPayment(order: OrderRow): Omit<PaymentRow, 'id'>[] {
  if (order.status === 'confirmed' || order.status === 'invalid') return []
  const pending = { order_id: order.id, ...newPayment(order, order.date_created) }
  const at = order.date_closed
  if (isPaid(order)) return [{ ...pending, status: 'approved', status_detail: 'accredited', date_approved: at }]
  return [order.status === 'cancelled' ? { ...pending, status: 'cancelled', status_detail: 'by_collector' } : pending]
}

/** Writes rows under the ids that they have, and those without one in the end, under the next free ones. */
function numbered<T extends PaymentRow | FeedbackRow>(
  { q, counters }: ImportContext,
  table: typeof payment | typeof order_feedback,
  firstId: number,
  insert: (q: Q, row: T) => Promise<boolean>,
) {
  const waiting: T[] = []
  return {
    async add(row: T, place: string): Promise<void> {
      if (row.id === null || row.id === undefined) waiting.push(row)
      else if (!(await insert(q, row))) throw duplicate(place)
    },
    async end(): Promise<void> {
      const counter = counters[counterOf(table)]
      let last = counter ?? firstId - 1
      for (const row of waiting) while (!(await insert(q, { ...row, id: ++last })));
      await setLastRowId(q, table, counter ?? last)
    },
  }
}

const orders = worldFileList({
  description: 'Sales with their payments, opinions and notes',
  element: FileOrder,
  maxElements: 1_000_000,
  isOmittedIfEmpty: true,
  async import(context, list) {
    const { q } = context
    const payments = numbered<PaymentRow>(context, payment, FIRST_PAYMENT_ID, insertPayment)
    const opinions = numbered<FeedbackRow>(context, order_feedback, FIRST_FEEDBACK_ID, insertFeedback)
    const sold = new Map<string, number>()
    await importNumbered(context, list, { table: sale_order, firstId: FIRST_ORDER_ID }, async (element, place, id) => {
      const row = { ...(await readOrder(context, element, place)), id }
      if (!(await insertOrder(q, row))) return false
      const order_id = id
      const given = element.payments?.map((one, n) => paymentStorage.columnsOf(context, one, `${place}.payments[${n}]`))
      for (const [n, one] of (given ?? defaultPayment(row)).entries())
        await payments.add({ ...one, order_id } as PaymentRow, `${place}.payments[${n}]`)
      for (const [n, one] of (element.feedback ?? []).entries()) {
        const at = `${place}.feedback[${n}]`
        if (n > 0 && one.role === element.feedback![0]!.role)
          throw badRequest(`${at}.role: the order has an opinion of its ${one.role} already`)
        await opinions.add({ ...feedbackStorage.columnsOf(context, one, at), order_id } as FeedbackRow, at)
      }
      for (const [n, one] of (element.notes ?? []).entries()) {
        const at = `${place}.notes[${n}]`
        const note = { ...noteStorage.columnsOf(context, one, at), id: one.id ?? (await nextNoteId(q, context)) }
        if (!(await insertNote(q, { ...note, order_id } as NoteRow))) throw duplicate(at)
      }
      if (isPaid(row) && !context.items.resolve(place, row.item_id).hasSold)
        sold.set(row.item_id, (sold.get(row.item_id) ?? 0) + row.quantity)
      await context.rowsWritten(3 + (element.notes?.length ?? 0))
      return true
    })
    await payments.end()
    await opinions.end()
    for (const [id, n] of sold) await setSold(q).run({ id, n })
  },
  async *export({ q }) {
    for await (const rows of rowsById(sale_order)(q)) {
      const payments = Map.groupBy(await paymentsOf(q, rows), ({ order_id }) => order_id)
      const opinions = Map.groupBy(await feedbackRowsOf(q, rows), ({ order_id }) => order_id)
      const notes = Map.groupBy(await notesOf(q, rows), ({ order_id }) => order_id)
      yield rows.map((row) =>
        orderStorage.elementOf(row, {
          payments: (payments.get(row.id) ?? []).map((one) => paymentStorage.elementOf(one)),
          feedback: (opinions.get(row.id) ?? []).map((one) => feedbackStorage.elementOf(one)),
          notes: (notes.get(row.id) ?? []).map((one) => noteStorage.elementOf(one)),
        }),
      )
    }
  },
})

const order_blocked_buyers = blockListOf(blockList, {
  description: 'Buyers to whom sellers do not sell',
  isOmittedIfEmpty: true,
})

export const worldFile: WorldFileSection = {
  after: ['users', 'items'],
  lists: { orders, order_blocked_buyers },
  tables: {
    sale_order: 'exported',
    payment: 'exported',
    order_feedback: 'exported',
    order_note: 'exported',
    order_blocked_buyer: 'exported',
  },
}
