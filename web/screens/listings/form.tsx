import type { BodyOf, Schemas } from '../../../lib/types.ts'
import { FormDialog } from '../../parts/dialog.tsx'
import { Check, Input, Options, Text, titled } from '../../parts/form.tsx'
import { visible } from '../../parts/values.tsx'
import { change } from '../../world/client.ts'
import { openDetail } from '../../world/navigation.ts'
import { useSellers } from '../subjects.tsx'
import { wordsOf } from '../words.ts'

const w = wordsOf('listings')

export type Item = Schemas['Listing']
export type Status = Item['status']
export const STATUSES: Status[] = ['active', 'paused', 'under_review', 'closed', 'inactive']
const MODES = ['me2', 'me1', 'custom', 'not_specified'] as const

interface ItemFormProps {
  /** The one to change; without it a new one is created. */
  item?: Item
  seller?: string | undefined
}

export function ItemForm({ item, seller }: ItemFormProps) {
  const sellers = [...useSellers()].map(([id, nickname]) => [String(id), visible(nickname)] as const)
  const submit = async (body: BodyOf<'POST /items'>) => {
    if (item) await change(w.edit, 'PATCH /items/{id}', { path: { id: item.id }, body })
    else openDetail((await change(w.create, 'POST /items', { body })).id)
  }
  return (
    <FormDialog title={item ? w.edit : w.create} action={item ? w.save : w.create} onSubmit={submit}>
      {!item && <Options label={w.seller} name="seller_id" data-json value={seller} options={sellers} />}
      <Input label={w.name} name="title" value={item?.title} maxLength={255} autofocus />
      <div class="field-row">
        <Input label={w.price} name="price" type="number" min={0.01} step="any" value={item?.price} />
        <Input label={w.stock} name="available_quantity" type="number" min={0} value={item?.available_quantity} />
        <Input
          label={w.sku}
          name="seller_sku"
          value={item?.seller_sku}
          data-empty={item?.seller_sku ? 'null' : undefined}
        />
      </div>
      <div class="field-row">
        <Options label={w.status} name="status" value={item?.status} options={titled(STATUSES, w)} />
        <Options label={w.shipping} name="shipping_mode" value={item?.shipping.mode} options={MODES} />
      </div>
      <Text
        label={w.description}
        name="description"
        rows={4}
        maxLength={50_000}
        value={item?.description}
        data-empty={item?.description ? 'null' : undefined}
      />
      <Check label={w.flexOn} name="in_flex" isChecked={item?.in_flex ?? false} />
    </FormDialog>
  )
}
