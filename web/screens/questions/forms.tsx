import { useRef, useState } from 'preact/hooks'
import type { BodyOf } from '../../../lib/types.ts'
import { FormDialog } from '../../parts/dialog.tsx'
import { Field, Select, Text, titled } from '../../parts/form.tsx'
import { useKeys } from '../../parts/keys.ts'
import { attempt, notify } from '../../parts/toasts.tsx'
import { visible } from '../../parts/values.tsx'
import { formatAddress } from '../../world/address.ts'
import { change, read, worldId } from '../../world/client.ts'
import { worldNow } from '../../world/clock.ts'
import { useLoad } from '../../world/load.ts'
import { openDetail } from '../../world/navigation.ts'
import { BuyerOptions, ListingInput, MAX_OFFERED } from '../subjects.tsx'
import { wordsOf } from '../words.ts'

const w = wordsOf('questions')

/** Of the first test seller. */
async function readListings(signal: AbortSignal) {
  const { sellers } = await read('GET /worlds/{id}', { path: { id: worldId }, signal })
  const seller = sellers[0] && { seller_id: sellers[0].id }
  return (await read('GET /items', { query: { ...seller, status: 'active', limit: MAX_OFFERED }, signal })).results
}

/** Asks as a buyer, also in the past, and opens the question. */
export function Ask({ item: given }: { item: string | undefined }) {
  const listings = useLoad(readListings).data ?? []
  const [typed, setItem] = useState(given)
  const [date, setDate] = useState<PastDate>({ choice: 'now' })
  const item = typed ?? listings[0]?.id ?? ''

  const submit = async (values: BodyOf<'POST /questions'>) => {
    const date_created = instantOf(date)
    const body = { ...values, ...(date_created && { date_created }) }
    const { id } = await change(w.ask, 'POST /questions', { body })
    notify(<a href={formatAddress('questions', [id])}>{w.made(id)}</a>)
    openDetail(id)
  }
  const others = [['', w.anyBuyer] as const, ['null', w.guest] as const]
  return (
    <FormDialog title={w.askTitle} action={w.ask} onSubmit={submit}>
      <ListingInput label={w.listing} value={item} onValue={setItem} listings={listings} />
      <BuyerOptions label={w.buyer} name="from" listing={item} first={others} />
      <Text label={w.text} name="text" maxLength={2000} required autofocus />
      <p class="row">
        <DateBack value={date} onValue={setDate} />
      </p>
    </FormDialog>
  )
}

interface AnswerFormProps {
  /** Of the question. */
  id: number
  seller: string
}

/** Answers as the seller does, with a control call. */
export function AnswerForm({ id, seller }: AnswerFormProps) {
  const [text, setText] = useState('')
  const [date, setDate] = useState<PastDate>({ choice: 'now' })
  const [isBusy, setBusy] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  useKeys([{ keys: 'e', title: w.answer, run: () => area.current?.focus() }])

  const submit = async () => {
    const date_created = instantOf(date)
    setBusy(true)
    try {
      const body = { answer: { text, ...(date_created && { date_created }) } }
      await attempt(() => change(w.answer, 'PATCH /questions/{id}', { path: { id }, body }))
      notify(w.answeredNow)
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
  const choices = ['now', 'ago1h', 'ago1d', 'ago3d', 'exactly'] as const
  const present = new Date(worldNow.peek() ?? Date.now()).toISOString().slice(0, 19)
  return (
    <>
      <Select
        label={w.date}
        value={value.choice}
        options={titled(choices, w)}
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
