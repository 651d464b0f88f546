import { useState } from 'preact/hooks'
import type { BodyOf } from '../../../lib/types.ts'
import { FormDialog } from '../../parts/dialog.tsx'
import { Choices, Input, Options, Text } from '../../parts/form.tsx'
import { change } from '../../world/client.ts'
import { wordsOf } from '../words.ts'
import { type Claim, openClaimOf, type SaleFormProps } from './sale.ts'

const w = wordsOf('orders')

export function ClaimForm({ sale: { order } }: SaleFormProps) {
  const submit = (values: BodyOf<'POST /claims'>) =>
    change(w.openClaim, 'POST /claims', { body: { ...values, order_id: order.id } })
  return (
    <FormDialog title={w.openClaim} onSubmit={submit}>
      <Options label={w.reason} name="reason_id" value="PDD9944" options={Object.entries(w.reasons)} />
      <Text label={w.message} name="message" maxLength={2000} />
    </FormDialog>
  )
}

/** A message of one side of a claim to the other, or to the mediator. */
export function writeInClaim({ id, stage }: Claim, from: 'buyer' | 'seller', text: string) {
  const [sender, other] =
    from === 'buyer' ? (['complainant', 'respondent'] as const) : (['respondent', 'complainant'] as const)
  const body = { from: sender, to: stage === 'dispute' ? ('mediator' as const) : other, text }
  return change(w.write, 'POST /claims/{id}/messages', { path: { id }, body })
}

/** What the marketplace does with the open claim. */
export function DecideForm({ sale }: SaleFormProps) {
  const claim = openClaimOf(sale)!
  const path = { id: claim.id }
  const [decision, setDecision] = useState('refund')
  const decide = async ({ refund }: { refund?: number }) => {
    if (decision === 'return') return change(w.toReturn, 'POST /claims/{id}/return', { path })
    const body: BodyOf<'PATCH /claims/{id}'> =
      decision === 'dispute'
        ? { stage: 'dispute' }
        : { status: 'closed', ...(decision === 'refund' && { refund: refund! }) }
    return change(w.decide, 'PATCH /claims/{id}', { path, body })
  }
  return (
    <FormDialog title={w.decide} onSubmit={decide}>
      <Choices
        label={w.decide}
        value={decision}
        options={[
          ['refund', w.closeRefunded],
          ['closed', w.closeOnly],
          ['dispute', w.toDispute],
          ...(claim.related_entities.length > 0 ? [] : [['return', w.toReturn] as const]),
        ]}
        onValue={setDecision}
      />
      {decision === 'refund' && (
        <Input label={w.refundPercent} name="refund" type="number" min={1} max={100} value="100" required />
      )}
    </FormDialog>
  )
}
