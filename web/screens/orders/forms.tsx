import { useId, useState } from 'preact/hooks'
import type { BodyOf, Operations } from '../../../lib/types.ts'
import { FormDialog } from '../../parts/dialog.tsx'
import { Check, Input, Options, Text, type Values } from '../../parts/form.tsx'
import { visible } from '../../parts/text.tsx'
import { notify } from '../../parts/toasts.tsx'
import { formatAddress } from '../../world/address.ts'
import { change, read } from '../../world/client.ts'
import { useCall, useLoad } from '../../world/load.ts'
import { go } from '../../world/navigation.ts'
import { words } from '../words.ts'
import { writeInClaim } from './claim_forms.tsx'
import { openClaimOf, type SaleFormProps } from './sale.ts'

/** Listings and buyers that are offered. Others can be typed, or bought with the CLI. */
const MAX_OFFERED = 50
/** Letters of the site, with which the id of a listing begins. */
const SITE_LENGTH = 3

type Site = Operations['GET /users']['query']['site_id']
type NewOrder = BodyOf<'POST /orders'>
/** In which an order can begin. */
const FIRST_STATUSES = ['paid', 'payment_required', 'payment_in_process', 'confirmed'] as const

interface BuyFormProps {
  /** The listing that is offered; default: any. */
  item: string | undefined
  /** Of the list of orders beside the new one. */
  filters?: Record<string, string>
  onClose(): void
}

/** Buys one listing, and opens the order. */
export function BuyForm({ item: given, filters, onClose }: BuyFormProps) {
  const w = words().orders
  const [typed, setItem] = useState(given)
  const query = { status: 'active', limit: MAX_OFFERED } as const
  const listings = useCall('GET /items', { query }).data?.results ?? []
  const item = typed ?? listings.find(({ available_quantity }) => available_quantity > 0)?.id ?? ''
  const list = useId()
  const submit = async ({ buyer, quantity, status }: Values) => {
    const { order } = await change(w.buy, 'POST /orders', {
      body: {
        ...{ item_id: item, quantity: Number(quantity), status: status as (typeof FIRST_STATUSES)[number] },
        ...(buyer && { buyer: Number(buyer) }),
      } as NewOrder,
    })
    notify(<a href={formatAddress('orders', [order.id])}>{w.bought(order.id)}</a>)
    go(formatAddress('orders', [order.id], filters))
  }
  return (
    <FormDialog title={w.buy} action={w.buy} onSubmit={submit} onClose={onClose}>
      <Input
        label={w.listing}
        name="item_id"
        value={item}
        list={list}
        required
        // A listing that is read later must not join what is typed.
        onFocus={() => setItem(item)}
        onInput={({ currentTarget }) => setItem(currentTarget.value)}
      />
      <datalist id={list}>
        {listings.map(({ id, title }) => (
          <option key={id} value={id}>
            {visible(title)}
          </option>
        ))}
      </datalist>
      <div class="field-row">
        <Buyers site={item.slice(0, SITE_LENGTH)} />
        <Input label={w.units} name="quantity" type="number" min={1} value="1" required />
      </div>
      <Options label={w.status} name="status" options={FIRST_STATUSES.map((one) => [one, w[one]] as const)} />
    </FormDialog>
  )
}

/** The buyers of the listing's site, or the default of the call. */
function Buyers({ site }: { site: string }) {
  const w = words().orders
  const load = async (signal: AbortSignal) => {
    if (site.length < SITE_LENGTH) return []
    const query = { kind: 'buyer', site_id: site as Site, limit: MAX_OFFERED } as const
    return (await read('GET /users', { query, signal })).results
  }
  const buyers = (useLoad(load, { key: site }).data ?? []).map(
    ({ id, nickname }) => [String(id), visible(nickname)] as const,
  )
  return <Options label={w.buyer} name="buyer" options={[['', w.anyBuyer], ...buyers]} />
}

export function CancelForm({ sale, onClose, again }: SaleFormProps) {
  const w = words().orders
  const submit = async ({ by, reason, restock }: Values) => {
    const body = { by: by as 'buyer', restock: restock !== undefined, ...(reason && { reason }) }
    await change(w.cancel, 'POST /orders/{id}/cancel', { path: { id: sale.order.id }, body })
    again()
  }
  return (
    <FormDialog title={w.cancel} action={w.cancel} isDanger onSubmit={submit} onClose={onClose}>
      <Options
        label={w.by}
        name="by"
        options={[
          ['buyer', w.buyer],
          ['seller', w.seller],
          ['mediations', w.mediations],
        ]}
      />
      <Input label={w.reason} name="reason" maxLength={200} />
      <Check label={w.restock} name="restock" isChecked />
    </FormDialog>
  )
}

export function RefundForm({ sale: { order }, onClose, again }: SaleFormProps) {
  const w = words().orders
  const submit = async ({ amount }: Values) => {
    const body = amount ? { amount: Number(amount) } : {}
    await change(w.refund, 'POST /orders/{id}/refund', { path: { id: order.id }, body })
    again()
  }
  return (
    <FormDialog title={w.refund} action={w.refund} isDanger onSubmit={submit} onClose={onClose}>
      <Input
        label={w.amount}
        name="amount"
        type="number"
        min={0}
        step="any"
        value={String(order.paid_amount)}
        required
      />
    </FormDialog>
  )
}

/** A message after the purchase, or in the open claim, by either side. */
export function WriteForm({ sale, onClose, again }: SaleFormProps) {
  const w = words().orders
  const { order, messages } = sale
  const claim = openClaimOf(sale)
  const submit = async ({ from, where, text }: Values) => {
    const { id, pack_id, seller } = order
    const body = { pack_id: pack_id ?? id, seller_id: seller.id, from: from as 'buyer', text: text! }
    if (where === 'claim') await writeInClaim(claim!, from as 'buyer', text!)
    else await change(w.write, 'POST /messages', { body })
    again()
  }
  // Most often the other side answers.
  const isAnswer = messages.some(({ from }) => from.user_id === order.buyer.id)
  return (
    <FormDialog title={w.write} action={w.send} onSubmit={submit} onClose={onClose}>
      <Options
        label={w.as}
        name="from"
        value={isAnswer ? 'seller' : 'buyer'}
        options={[
          ['buyer', `${w.buyer}: ${visible(order.buyer.nickname)}`],
          ['seller', `${w.seller}: ${visible(order.seller.nickname)}`],
        ]}
      />
      {claim && (
        <Options
          label={w.where}
          name="where"
          options={[
            ['conversation', w.conversation],
            ['claim', w.claim],
          ]}
        />
      )}
      <Text label={w.message} name="text" required autofocus />
    </FormDialog>
  )
}

/** Holds the seller's messages back, or ends that. */
export function BlockForm({ sale: { order }, onClose }: SaleFormProps) {
  const w = words().orders
  const submit = async ({ blocked }: Values) => {
    const path = { pack_id: order.pack_id ?? order.id }
    const body = { substatus: blocked === 'yes' ? ('blocked_by_buyer' as const) : null }
    const { substatus } = await change(w.block, 'POST /conversations/{pack_id}/block', { path, body })
    notify(`${w.conversation}: ${substatus?.replaceAll('_', ' ') ?? w.mayWrite}`)
  }
  return (
    <FormDialog title={w.block} action={w.send} onSubmit={submit} onClose={onClose}>
      <Options
        label={w.seller}
        name="blocked"
        options={[
          ['yes', w.mayNotWrite],
          ['no', w.mayWrite],
        ]}
      />
    </FormDialog>
  )
}
