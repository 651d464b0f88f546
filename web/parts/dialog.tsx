import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { words } from '../words/index.ts'
import { Icon } from './icons.tsx'

interface DialogProps {
  title: string
  onClose(): void
  children: ComponentChildren
  class?: string
}

/** A modal dialog: it is open while it is rendered. Escape and a click outside close it. */
export function Dialog({ title, onClose, children, class: name = '' }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null
    dialog.current!.showModal()
    return () => before?.focus()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by keyboard
    <dialog
      ref={dialog}
      class={name}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={({ target }) => target === dialog.current && onClose()}
    >
      <div class="dialog-content">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="plain" onClick={onClose} aria-label={words().close}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}

interface ConfirmProps {
  title: string
  /** What will be lost. */
  children: ComponentChildren
  /** Text of the button. */
  action: string
  /** A name that must be typed, for what cannot be undone. */
  typed?: string
  onConfirm(): Promise<unknown>
  onClose(): void
}

/** Asks before something is deleted or replaced. */
export function Confirm({ title, children, action, typed, onConfirm, onClose }: ConfirmProps) {
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const w = words()
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    try {
      await onConfirm()
      onClose()
    } catch {
      // The call has reported its error.
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} class="stack">
        <div>{children}</div>
        {typed !== undefined && (
          <label class="field">
            <span>{w.typeToConfirm(typed)}</span>
            <input value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} autocomplete="off" />
          </label>
        )}
        <div class="buttons">
          <button type="button" onClick={onClose}>
            {w.cancel}
          </button>
          <button type="submit" class="danger" disabled={isBusy || (typed !== undefined && text !== typed)}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
