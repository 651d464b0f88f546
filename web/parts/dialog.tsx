import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { words } from '../words/index.ts'
import { Form, type Values } from './form.tsx'
import { Icon } from './icons.tsx'
import { visible } from './text.ts'

export interface DialogProps {
  title: string
  onClose(): void
  children: ComponentChildren
  class?: string
}

/** A modal dialog: it is open while it is rendered. Escape and a click outside close it. */
export function Dialog({ title, onClose, children, class: name = '' }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Before the next key, which is typed into the dialog.
  useLayoutEffect(() => {
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
  typed?: string | undefined
  isReady?: boolean
  onConfirm(values: Values): Promise<unknown>
  onClose(): void
}

/** Asks before something is deleted or replaced. A CallError is shown in the dialog. */
export function Confirm({ title, children, typed, isReady = true, onConfirm, onClose, action }: ConfirmProps) {
  const [text, setText] = useState('')
  const submit = async (values: Values) => {
    await onConfirm(values)
    onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        action={action}
        isDanger
        isReady={isReady && (typed === undefined || text === typed || text === visible(typed))}
        onSubmit={submit}
        onCancel={onClose}
      >
        <div class="stack">{children}</div>
        {typed !== undefined && (
          <label class="field">
            <span>{words().typeToConfirm(visible(typed))}</span>
            <input value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} autocomplete="off" />
          </label>
        )}
      </Form>
    </Dialog>
  )
}
