import { useId, useRef, useState } from 'preact/hooks'
import type { Operations } from '../../../lib/types.ts'
import { FormDialog } from '../../parts/dialog.tsx'
import { Field, Input, Options, Select, type Values } from '../../parts/form.tsx'
import { useKeys } from '../../parts/keys.ts'
import { visible } from '../../parts/text.tsx'
import { attempt, notify } from '../../parts/toasts.tsx'
import { formatAddress } from '../../world/address.ts'
import { change, read, worldId } from '../../world/client.ts'
import { worldNow } from '../../world/clock.ts'
import { useLoad } from '../../world/load.ts'
import { words } from '../words.ts'
import type { Question } from './list.tsx'

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

interface AnswerFormProps {
  question: Question
  seller: string
  again(): void
}

/** Answers as the seller does, with a control call. */
export function AnswerForm({ question: { id }, seller, again }: AnswerFormProps) {
  const [text, setText] = useState('')
  const [date, setDate] = useState<PastDate>({ choice: 'now' })
  const [isBusy, setBusy] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  const w = words().questions
  useKeys([{ keys: 'e', title: w.answer, run: () => area.current?.focus() }])

  const submit = async () => {
    const date_created = instantOf(date)
    setBusy(true)
    try {
      const body = { answer: { text, ...(date_created && { date_created }) } }
      await attempt(() => change(w.answer, 'PATCH /questions/{id}', { path: { id }, body }))
      notify(w.answeredNow)
      again()
    } catch {
      setBusy(false)
    }
  }
  return (
    <form
      class="answer-form stack"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Field label={w.answerAs(visible(seller))} hint={w.answerHint}>
        {(more) => (
          <textarea
            {...more}
            ref={area}
            required
            maxLength={2000}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
              if (event.key === 'Escape') event.currentTarget.blur()
            }}
          />
        )}
      </Field>
      <div class="row">
        <button type="submit" class="primary" disabled={isBusy}>
          {w.answer}
        </button>
        <DateBack value={date} onValue={setDate} />
      </div>
    </form>
  )
}

/** A date in the past: a distance from now, or an exact one. */
interface PastDate {
  choice: 'now' | 'ago1h' | 'ago1d' | 'ago3d' | 'exactly'
  /** As a field of a date has it, in UTC. */
  exactly?: string
}

const HOUR = 3_600_000
const AGO = { ago1h: HOUR, ago1d: 24 * HOUR, ago3d: 72 * HOUR }

/** undefined for now. */
function instantOf({ choice, exactly }: PastDate): string | undefined {
  if (choice === 'now') return undefined
  if (choice === 'exactly') return exactly === undefined ? undefined : `${exactly}Z`
  return new Date((worldNow.peek() ?? Date.now()) - AGO[choice]).toISOString()
}

function DateBack({ value, onValue }: { value: PastDate; onValue(value: PastDate): void }) {
  const w = words().questions
  const choices = ['now', 'ago1h', 'ago1d', 'ago3d', 'exactly'] as const
  const present = new Date(worldNow.peek() ?? Date.now()).toISOString().slice(0, 19)
  return (
    <>
      <Select
        label={w.date}
        value={value.choice}
        options={choices.map((choice) => [choice, w[choice]] as const)}
        onValue={(choice) => onValue({ choice, ...(choice === 'exactly' && { exactly: present }) })}
      />
      {value.choice === 'exactly' && (
        <input
          type="datetime-local"
          step={1}
          required
          aria-label={w.instant}
          value={value.exactly ?? ''}
          onInput={({ currentTarget }) => onValue({ choice: 'exactly', exactly: currentTarget.value })}
        />
      )}
    </>
  )
}
