import { CopyCurl } from '../../parts/copy_as.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { useKeys } from '../../parts/keys.ts'
import { visible } from '../../parts/text.tsx'
import { attempt, notify } from '../../parts/toasts.tsx'
import { baseUrl, change, send } from '../../world/client.ts'
import { save } from '../../world/files.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { ClaimForm, DecideForm } from './claim_forms.tsx'
import { BlockForm, CancelForm, RefundForm, WriteForm } from './forms.tsx'
import { hasLabel, isOnItsWay, isPaid, isUnpaid, openClaimOf, type Sale, type Shipment } from './sale.ts'

/** What buyer, seller, carrier and marketplace can do next. */
export function Actions({ sale, again }: { sale: Sale; again(): void }) {
  const w = words().orders
  const { order, shipments } = sale
  const { id } = order
  const run = (action: () => Promise<unknown>) => () => void attempt(action).then(again, () => {})
  const parcel = shipments.find(isOnItsWay)
  const move = (title: string, to?: 'delivered') =>
    run(() => change(title, 'POST /shipments/{id}/advance', { path: { id: parcel!.id }, body: { ...(to && { to }) } }))
  const buttons = [
    ...(isUnpaid(order)
      ? [{ keys: 'y', title: w.pay, run: run(() => change(w.pay, 'POST /orders/{id}/pay', { path: { id } })) }]
      : []),
    ...(parcel
      ? [
          { keys: 's', title: w.nextStep, run: move(w.nextStep) },
          { keys: 'd', title: w.deliver, run: move(w.deliver, 'delivered') },
        ]
      : []),
    ...(parcel && hasLabel(parcel) ? [{ keys: 'l', title: w.label, run: run(() => saveLabel(parcel)) }] : []),
  ]
  useKeys(canChange.value ? buttons : [])
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
    <div class="actions">
      {canChange.value &&
        buttons.map(({ keys, title, run: act }, n) => (
          <button key={keys} type="button" class={n === 0 ? 'primary' : undefined} onClick={act}>
            {title} <kbd>{keys}</kbd>
          </button>
        ))}
      {dialogs.map(({ keys, title, Form }) => (
        <DialogButton
          key={keys}
          title={title}
          keys={keys}
          dialog={(close) => <Form sale={sale} onClose={close} again={again} />}
        />
      ))}
      <CopyCurl call={{ call: 'GET /orders/{id}', input: { path: { id } } }} />
    </div>
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
