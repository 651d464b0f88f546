import { useId, useState } from 'preact/hooks'
import type { Operations } from '../../../lib/types.ts'
import { Field } from '../../parts/fields.tsx'
import { Input, Options, type Values } from '../../parts/form.tsx'
import { FormDialog } from '../../parts/form_dialog.tsx'
import { visible } from '../../parts/text.ts'
import { notify } from '../../parts/toasts.tsx'
import { formatAddress } from '../../world/address.ts'
import { change, read, worldId } from '../../world/client.ts'
import { useLoad } from '../../world/load.ts'
import { words } from '../words.ts'
import { DateBack, instantOf, type PastDate } from './date_back.tsx'

/** Listings and buyers that are offered. Others can be typed, or asked for with the CLI. */
const MAX_OFFERED = 50
/** Letters of the site, with which the id of a listing begins. */
const SITE_LENGTH = 3

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
  const listings = useLoad(readListings).data
  const [typed, setItem] = useState(given)
  const [date, setDate] = useState<PastDate>({ choice: 'now' })
  const list = useId()
  const w = words().questions
  const item = typed ?? listings?.[0]?.id ?? ''

  const submit = async ({ buyer, text }: Values) => {
    const date_created = instantOf(date)
    const from = buyer === 'guest' ? null : Number(buyer)
    const { id } = await change(w.ask, 'POST /questions', {
      body: { item_id: item, text: text!, ...(buyer && { from }), ...(date_created && { date_created }) },
    })
    notify(<a href={formatAddress('questions', [id])}>{w.asked(id)}</a>)
    onAsked(id)
  }
  return (
    <FormDialog title={w.askTitle} action={w.ask} onSubmit={submit} onClose={onClose}>
      <Input
        label={w.item}
        name="item"
        value={item}
        list={list}
        required
        // A listing that is read later must not join what is typed.
        onFocus={() => setItem(item)}
        onInput={({ currentTarget }) => setItem(currentTarget.value)}
      />
      <datalist id={list}>
        {listings?.map(({ id, title }) => (
          <option key={id} value={id}>
            {visible(title)}
          </option>
        ))}
      </datalist>
      <Buyers site={item.slice(0, SITE_LENGTH)} />
      <Field label={w.text}>
        {(more) => (
          // biome-ignore lint/a11y/noAutofocus: what a dialog is opened for has the focus
          <textarea {...more} name="text" autoFocus required rows={3} maxLength={2000} />
        )}
      </Field>
      <p class="row">
        <DateBack value={date} onValue={setDate} />
      </p>
    </FormDialog>
  )
}

type Site = Operations['GET /users']['query']['site_id']

/** The buyers of the listing's site, a guest, or the default of the call. */
function Buyers({ site }: { site: string }) {
  const { data } = useLoad(
    async (signal) => {
      if (site.length < SITE_LENGTH) return []
      const query = { kind: 'buyer', site_id: site as Site, limit: MAX_OFFERED } as const
      return (await read('GET /users', { query, signal })).results
    },
    { key: site },
  )
  const w = words().questions
  const buyers = (data ?? []).map(({ id, nickname }) => [String(id), visible(nickname)] as const)
  return <Options label={w.buyer} name="buyer" options={[['', w.anyBuyer], ['guest', w.guest], ...buyers]} />
}
