import { useRef, useState } from 'preact/hooks'
import { Field } from '../../parts/fields.tsx'
import { useKeys } from '../../parts/keys.ts'
import { visible } from '../../parts/text.ts'
import { attempt, notify } from '../../parts/toasts.tsx'
import { change } from '../../world/client.ts'
import { words } from '../words.ts'
import { DateBack, instantOf, type PastDate } from './date_back.tsx'
import type { Question } from './states.ts'

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
