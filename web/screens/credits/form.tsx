import { useId } from 'preact/hooks'
import { Input, Options, type Values } from '../../parts/form.tsx'
import { FormDialog } from '../../parts/form_dialog.tsx'
import { change } from '../../world/client.ts'
import { worldNow } from '../../world/clock.ts'
import { useCall } from '../../world/load.ts'
import { openDetail } from '../../world/navigation.ts'
import { words } from '../words.ts'
import { ENTITIES, newLeadOf, STATES } from './lead.ts'

/** A buyer asks for a credit; afterwards the lead is open. */
export function NewLead({ onClose }: { onClose(): void }) {
  const w = words().credits
  const list = useId()
  const items = useCall('GET /items', { query: { status: 'active', limit: 200 } }).data?.results ?? []
  const submit = async (values: Values) => {
    const lead = await change(w.create, 'POST /loans', { body: newLeadOf(values, worldNow.peek() ?? Date.now()) })
    openDetail(lead.id)
  }
  const amount = { type: 'number', min: 0, step: 'any' }
  return (
    <FormDialog title={w.create} action={w.create} onSubmit={submit} onClose={onClose}>
      <Input label={w.item} name="item_id" required list={list} placeholder="MLB1400000001" autofocus />
      <datalist id={list}>
        {items.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </datalist>
      <div class="field-row">
        <Options
          label={w.state}
          name="status"
          options={STATES.map((status) => [status, w[`${status}_one`]] as const)}
        />
        <Input label={w.age} name="age" type="number" min={0} step="any" value="0" hint={w.ageHint} />
      </div>
      <div class="field-row">
        <Options label={w.entity} name="financial_entity_id" options={ENTITIES.map((name) => [name, name] as const)} />
        <Input label={w.buyer} name="buyer_id" inputMode="numeric" pattern="\d*" hint={w.buyerHint} />
      </div>
      <details class="stack">
        <summary>{w.terms}</summary>
        <p class="muted">{w.termsHint}</p>
        <div class="field-row">
          <Input label={w.down} name="down_payment_amount" {...amount} />
          <Input label={w.installments} name="installments_number" type="number" min={1} max={600} />
          <Input label={w.installment} name="installments_amount" {...amount} />
        </div>
        <Input label={w.proposal} name="proposal_id" maxLength={100} />
      </details>
    </FormDialog>
  )
}
