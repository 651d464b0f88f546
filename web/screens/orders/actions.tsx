import { CopyCurl } from '../../parts/copy_as.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { type Action, ActionButtons } from '../../parts/page.tsx'
import { notify } from '../../parts/toasts.tsx'
import { visible } from '../../parts/values.tsx'
import { baseUrl, change, send } from '../../world/client.ts'
import { save } from '../../world/files.ts'
import { wordsOf } from '../words.ts'
import { ClaimForm, DecideForm } from './claim_forms.tsx'
import { BlockForm, CancelForm, RefundForm, WriteForm } from './forms.tsx'
import { hasLabel, isOnItsWay, isPaid, isUnpaid, openClaimOf, type Sale, type Shipment } from './sale.ts'

const w = wordsOf('orders')

/** What buyer, seller, carrier and marketplace can do next. */
export function Actions({ sale }: { sale: Sale }) {
  const { order, shipments } = sale
  const { id } = order
  const parcel = shipments.find(isOnItsWay)
  const move = (title: string, to?: 'delivered') => () =>
    change(title, 'POST /shipments/{id}/advance', { path: { id: parcel!.id }, body: { ...(to && { to }) } })
  const pay = () => change(w.pay, 'POST /orders/{id}/pay', { path: { id } })
  const [first, ...others]: Action[] = [
    ...(isUnpaid(order) ? [{ keys: 'y', title: w.pay, run: pay }] : []),
    ...(parcel
      ? [
          { keys: 's', title: w.nextStep, run: move(w.nextStep) },
          { keys: 'd', title: w.deliver, run: move(w.deliver, 'delivered') },
        ]
      : []),
    ...(parcel && hasLabel(parcel) ? [{ keys: 'l', title: w.label, run: () => saveLabel(parcel) }] : []),
  ]
  const openClaim = openClaimOf(sale)
  const dialogs = [
    { keys: 'm', title: w.write, Form: WriteForm },
    { keys: 'b', title: w.block, Form: BlockForm },
    ...(openClaim ? [{ keys: 'o', title: w.decide, Form: DecideForm }] : []),
    ...(isPaid(order) && !openClaim ? [{ keys: 'o', title: w.openClaim, Form: ClaimForm }] : []),
    ...(isPaid(order) || isUnpaid(order) ? [{ keys: 'x', title: w.cancel, Form: CancelForm }] : []),
    ...(isPaid(order) ? [{ keys: 'r', title: w.refund, Form: RefundForm }] : []),
  ]
  return (
    <>
      <ActionButtons of={first ? [{ ...first, class: 'primary' }, ...others] : []} />
      {dialogs.map(({ keys, title, Form }) => (
        <DialogButton key={keys} title={title} keys={keys}>
          <Form sale={sale} />
        </DialogButton>
      ))}
      <CopyCurl call={{ call: 'GET /orders/{id}', input: { path: { id } } }} />
    </>
  )
}

/** Prints a label as the seller's program would: only the emulated API does. */
async function saveLabel({ id, seller_id }: Shipment): Promise<void> {
  const { token } = await send('POST /tokens', { body: { user_id: seller_id } })
  const answer = await fetch(`${baseUrl}/shipment_labels?shipment_ids=${id}&response_type=pdf`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (answer.ok) save(await answer.blob(), `Etiqueta-${id}.pdf`)
  else notify(visible(((await answer.json()) as { message: string }).message))
}
