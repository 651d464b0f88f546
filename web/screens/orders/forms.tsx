import type { TextareaHTMLAttributes } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { BodyOf, Operations } from '../../../lib/types.ts'
import { FormDialog } from '../../parts/dialog.tsx'
import { Check, Choices, Field, Input, Options, type Values } from '../../parts/form.tsx'
import { visible } from '../../parts/text.tsx'
import { notify } from '../../parts/toasts.tsx'
import { formatAddress } from '../../world/address.ts'
import { change, read } from '../../world/client.ts'
import { useCall, useLoad } from '../../world/load.ts'
import { go } from '../../world/navigation.ts'
import { words } from '../words.ts'
import type { Sale } from './sale.ts'

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

interface SaleFormProps {
  sale: Sale
  onClose(): void
  again(): void
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

/** A message after the purchase, by either side. */
export function WriteForm({ sale: { order, messages }, onClose, again }: SaleFormProps) {
  const w = words().orders
  const submit = async ({ from, text }: Values) => {
    const { id, pack_id, seller } = order
    const body = { pack_id: pack_id ?? id, seller_id: seller.id, from: from as 'buyer', text: text! }
    await change(w.write, 'POST /messages', { body })
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
      <Text label={w.message} name="text" required autofocus />
    </FormDialog>
  )
}

interface TextProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  label: string
  name: string
}

const Text = ({ label, ...attributes }: TextProps) => (
  <Field label={label} name={attributes.name}>
    {(more) => <textarea rows={3} maxLength={2000} {...more} {...attributes} />}
  </Field>
)

export function ClaimForm({ sale: { order }, onClose, again }: SaleFormProps) {
  const w = words().orders
  const submit = async ({ reason_id, message }: Values) => {
    const body = { order_id: order.id, reason_id: reason_id as 'PDD9944', ...(message && { message }) }
    await change(w.openClaim, 'POST /claims', { body })
    again()
  }
  return (
    <FormDialog title={w.openClaim} action={w.openClaim} onSubmit={submit} onClose={onClose}>
      <Options label={w.reason} name="reason_id" value="PDD9944" options={Object.entries(w.reasons)} />
      <Text label={w.message} name="message" />
    </FormDialog>
  )
}

/** What the marketplace does with the open claim. */
export function DecideForm({ sale: { claims }, onClose, again }: SaleFormProps) {
  const w = words().orders
  const claim = claims.find(({ status }) => status === 'opened')
  const [decision, setDecision] = useState('refund')
  const submit = async ({ refund }: Values) => {
    const body: BodyOf<'PATCH /claims/{id}'> =
      decision === 'dispute'
        ? { stage: 'dispute' }
        : { status: 'closed', ...(decision === 'refund' && { refund: Number(refund) }) }
    await change(w.decide, 'PATCH /claims/{id}', { path: { id: claim!.id }, body })
    again()
  }
  return (
    <FormDialog title={w.decide} action={w.decide} onSubmit={submit} onClose={onClose}>
      <Choices
        label={w.decide}
        value={decision}
        options={[
          ['refund', w.closeRefunded],
          ['closed', w.closeOnly],
          ['dispute', w.toDispute],
        ]}
        onValue={setDecision}
      />
      {decision === 'refund' && (
        <Input label={w.refundPercent} name="refund" type="number" min={1} max={100} value="100" required />
      )}
    </FormDialog>
  )
}
