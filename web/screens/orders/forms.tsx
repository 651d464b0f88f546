import { useState } from 'preact/hooks'
import type { BodyOf } from '../../../lib/types.ts'
import { FormDialog } from '../../parts/dialog.tsx'
import { Check, Input, Options, Text, titled } from '../../parts/form.tsx'
import { notify } from '../../parts/toasts.tsx'
import { visible } from '../../parts/values.tsx'
import { formatAddress } from '../../world/address.ts'
import { change } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { go } from '../../world/navigation.ts'
import { BuyerOptions, ListingInput, MAX_OFFERED } from '../subjects.tsx'
import { wordsOf } from '../words.ts'
import { writeInClaim } from './claim_forms.tsx'
import { openClaimOf, type SaleFormProps } from './sale.ts'

const w = wordsOf('orders')

/** In which an order can begin. */
const FIRST_STATUSES = ['paid', 'payment_required', 'payment_in_process', 'confirmed'] as const

interface BuyFormProps {
  /** The listing that is offered; default: any. */
  item: string | undefined
  /** Of the list of orders beside the new one. */
  filters?: Record<string, string>
}

/** Buys one listing, and opens the order. */
export function BuyForm({ item: given, filters }: BuyFormProps) {
  const [typed, setItem] = useState(given)
  const listings = useCall('GET /items', { query: { status: 'active', limit: MAX_OFFERED } }).data?.results ?? []
  const item = typed ?? listings.find(({ available_quantity }) => available_quantity > 0)?.id ?? ''
  const submit = async (body: BodyOf<'POST /orders'>) => {
    const { order } = await change(w.buy, 'POST /orders', { body })
    notify(<a href={formatAddress('orders', [order.id])}>{w.bought(order.id)}</a>)
    go(formatAddress('orders', [order.id], filters))
  }
  return (
    <FormDialog title={w.buy} onSubmit={submit}>
      <ListingInput label={w.listing} value={item} onValue={setItem} listings={listings} />
      <div class="field-row">
        <BuyerOptions label={w.buyer} name="buyer" listing={item} first={[['', w.anyBuyer]]} />
        <Input label={w.units} name="quantity" type="number" min={1} value="1" required />
      </div>
      <Options label={w.status} name="status" options={titled(FIRST_STATUSES, w)} />
    </FormDialog>
  )
}

export function CancelForm({ sale }: SaleFormProps) {
  const submit = (body: BodyOf<'POST /orders/{id}/cancel'>) =>
    change(w.cancel, 'POST /orders/{id}/cancel', { path: { id: sale.order.id }, body })
  return (
    <FormDialog title={w.cancel} isDanger onSubmit={submit}>
      <Options label={w.by} name="by" options={titled(['buyer', 'seller', 'mediations'], w)} />
      <Input label={w.reason} name="reason" maxLength={200} />
      <Check label={w.restock} name="restock" isChecked />
    </FormDialog>
  )
}

export function RefundForm({ sale: { order } }: SaleFormProps) {
  const submit = (body: BodyOf<'POST /orders/{id}/refund'>) =>
    change(w.refund, 'POST /orders/{id}/refund', { path: { id: order.id }, body })
  return (
    <FormDialog title={w.refund} isDanger onSubmit={submit}>
      <Input label={w.amount} name="amount" type="number" min={0} step="any" value={order.paid_amount} required />
    </FormDialog>
  )
}

/** A message after the purchase, or in the open claim, by either side. */
export function WriteForm({ sale }: SaleFormProps) {
  const { order, messages } = sale
  const claim = openClaimOf(sale)
  const submit = async ({ where, ...message }: { from: 'buyer' | 'seller'; text: string; where?: string }) => {
    const { id, pack_id, seller } = order
    const body = { pack_id: pack_id ?? id, seller_id: seller.id, ...message }
    if (where === 'claim') await writeInClaim(claim!, message.from, message.text)
    else await change(w.write, 'POST /messages', { body })
  }
  // Most often the other side answers.
  const isAnswer = messages.some(({ from }) => from.user_id === order.buyer.id)
  return (
    <FormDialog title={w.write} action={w.send} onSubmit={submit}>
      <Options
        label={w.as}
        name="from"
        value={isAnswer ? 'seller' : 'buyer'}
        options={[
          ['buyer', `${w.buyer}: ${visible(order.buyer.nickname)}`],
          ['seller', `${w.seller}: ${visible(order.seller.nickname)}`],
        ]}
      />
      {claim && <Options label={w.where} name="where" options={titled(['conversation', 'claim'], w)} />}
      <Text label={w.message} name="text" maxLength={2000} required autofocus />
    </FormDialog>
  )
}

/** Holds the seller's messages back, or ends that. */
export function BlockForm({ sale: { order } }: SaleFormProps) {
  const submit = async (body: BodyOf<'POST /conversations/{pack_id}/block'>) => {
    const path = { pack_id: order.pack_id ?? order.id }
    const { substatus } = await change(w.block, 'POST /conversations/{pack_id}/block', { path, body })
    notify(`${w.conversation}: ${substatus?.replaceAll('_', ' ') ?? w.mayWrite}`)
  }
  return (
    <FormDialog title={w.block} action={w.send} onSubmit={submit}>
      <Options
        label={w.seller}
        name="substatus"
        data-empty="null"
        options={[
          ['blocked_by_buyer', w.mayNotWrite],
          ['', w.mayWrite],
        ]}
      />
    </FormDialog>
  )
}
