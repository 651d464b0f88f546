import { useId, useState } from 'preact/hooks'
import type { Operations } from '../../../lib/types.ts'
import { Field, TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form_dialog.tsx'
import { visible } from '../../parts/text.ts'
import { notify } from '../../parts/toasts.tsx'
import { formatAddress } from '../../world/address.ts'
import { change, read, worldId } from '../../world/client.ts'
import { useLoad } from '../../world/load.ts'
import { DateBack, instantOf, type PastDate } from './date_back.tsx'
import { words } from './words.ts'

/** Listings and buyers that are offered. Others can be typed, or asked for with the CLI. */
const MAX_OFFERED = 50

/** Of the first test seller. */
async function readListings(signal: AbortSignal) {
  const { sellers } = await read('GET /worlds/{id}', { path: { id: worldId }, signal })
  const seller = sellers[0] && { seller_id: sellers[0].id }
  return (await read('GET /items', { query: { ...seller, status: 'active', limit: MAX_OFFERED }, signal })).results
}

interface AskProps {
  item: string | undefined
  onAsked(id: number): void
  onClose(): void
}

/** Asks as a buyer, also in the past. */
export function Ask({ item: given, onAsked, onClose }: AskProps) {
  const items = useLoad(readListings)
  const [typed, setItem] = useState(given)
  const [buyer, setBuyer] = useState('')
  const [text, setText] = useState('')
  const [date, setDate] = useState<PastDate>({ choice: 'now' })
  const listings = useId()
  const w = words()
  const item = typed ?? items.data?.[0]?.id ?? ''

  const submit = async () => {
    const date_created = instantOf(date)
    const from = buyer === 'guest' ? null : Number(buyer)
    const { id } = await change(w.ask, 'POST /questions', {
      body: { item_id: item, text, ...(buyer && { from }), ...(date_created && { date_created }) },
    })
    notify(<a href={formatAddress('questions', [id])}>{w.asked(id)}</a>)
    onAsked(id)
  }
  return (
    <FormDialog title={w.askTitle} action={w.ask} onSubmit={submit} onClose={onClose}>
      <TextField label={w.item} value={item} onValue={setItem} attributes={{ list: listings, required: true }} />
      <datalist id={listings}>
        {items.data?.map(({ id, title }) => (
          <option key={id} value={id}>
            {visible(title)}
          </option>
        ))}
      </datalist>
      <Buyers site={item.slice(0, 3)} value={buyer} onValue={setBuyer} />
      <Field label={w.text}>
        {(more) => (
          <textarea
            {...more}
            // biome-ignore lint/a11y/noAutofocus: what a dialog is opened for has the focus
            autoFocus
            required
            rows={3}
            maxLength={2000}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
      </Field>
      <p class="row">
        <DateBack value={date} onValue={setDate} />
      </p>
    </FormDialog>
  )
}

type Site = Operations['GET /users']['query']['site_id']

interface BuyersProps {
  site: string
  value: string
  onValue(value: string): void
}

/** The buyers of the listing's site, a guest, or the default of the call. */
function Buyers({ site, value, onValue }: BuyersProps) {
  const { data } = useLoad(
    async (signal) => {
      const query = { kind: 'buyer', site_id: site as Site, limit: MAX_OFFERED } as const
      return (await read('GET /users', { query, signal })).results
    },
    { key: site },
  )
  const w = words()
  return (
    <Field label={w.buyer}>
      {(more) => (
        <select {...more} value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
          <option value="">{w.anyBuyer}</option>
          <option value="guest">{w.guest}</option>
          {data?.map(({ id, nickname }) => (
            <option key={id} value={id}>
              {visible(nickname)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
