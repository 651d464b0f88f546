import { useRef, useState } from 'preact/hooks'
import { Show } from '../../parts/feedback.tsx'
import { useKeys } from '../../parts/keys.ts'
import { visible } from '../../parts/text.ts'
import { attempt } from '../../parts/toasts.tsx'
import { change } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { words } from '../words.ts'

const QUESTIONS = 4

/** The latest questions about a listing, as a buyer sees them. */
export function Questions({ item }: { item: string }) {
  const w = words().live
  const questions = useCall(
    'GET /questions',
    { query: { item_id: item, limit: QUESTIONS } },
    { refreshOn: (event) => event.type === 'fact' && event.topic === 'questions' },
  )
  return (
    <Show loaded={questions}>
      {({ results }) =>
        results.length === 0 ? (
          <p class="muted">{w.noQuestions}</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
          <ul class="phone-thread" tabIndex={0}>
            {results.map(({ id, text, answer }) => (
              <li key={id}>
                <p class="bubble">
                  <bdi>{visible(text)}</bdi>
                </p>
                <p class={answer ? 'bubble reply' : 'muted'}>
                  {answer ? <bdi>{visible(answer.text)}</bdi> : w.unanswered}
                </p>
              </li>
            ))}
          </ul>
        )
      }
    </Show>
  )
}

export function AskForm({ item }: { item: string }) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const w = words().live
  useKeys([{ keys: 'a', title: w.ask, run: () => field.current?.focus() }])
  const submit = async (event: Event) => {
    event.preventDefault()
    if (text.trim() === '') return
    await attempt(() => change(w.ask, 'POST /questions', { body: { item_id: item, text } })).then(
      () => setText(''),
      () => {},
    )
  }
  return (
    <form class="phone-ask" onSubmit={submit}>
      <input
        ref={field}
        value={text}
        maxLength={2000}
        aria-label={w.yourQuestion}
        placeholder={w.yourQuestion}
        autocomplete="off"
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="submit" class="primary">
        {w.ask}
      </button>
    </form>
  )
}
