import { type ComponentChildren, toChildArray } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useKeys } from '../../parts/keys.ts'
import { attempt } from '../../parts/toasts.tsx'
import { foreign } from '../../parts/values.tsx'
import { setQuery } from '../../world/navigation.ts'

/** What buyer and seller have written, newest first; the newest is in view. */
export const Thread = ({ none, children }: { none: string; children: ComponentChildren }) =>
  toChildArray(children).length === 0 ? (
    <p class="muted">{none}</p>
  ) : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <ul class="phone-thread" tabIndex={0}>
      {children}
    </ul>
  )

/** `isReply`: by the seller. */
export const Bubble = ({ text, isReply = false }: { text: string; isReply?: boolean }) => (
  <p class="bubble" data-side={isReply ? 'seller' : 'buyer'}>
    {foreign(text)}
  </p>
)

interface WriteFormProps {
  /** Text of the button. */
  action: string
  /** Names the field. */
  label: string
  /** Moves the focus to the field. */
  keys: string
  onSend(text: string): Promise<unknown>
}

/** A line in which the buyer writes. */
export function WriteForm({ action, label, keys, onSend }: WriteFormProps) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const focus = () => field.current?.focus()
  const begin = () => {
    focus()
    if (document.activeElement === field.current) return
    // A picked entry is in its place.
    setQuery({ pick: undefined })
    requestAnimationFrame(focus)
  }
  useKeys([{ keys, title: action, run: begin }])
  const submit = async (event: Event) => {
    event.preventDefault()
    if (text.trim() === '') return
    await attempt(() => onSend(text)).then(
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
        aria-label={label}
        placeholder={label}
        autocomplete="off"
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="submit" class="primary">
        {action}
      </button>
    </form>
  )
}
