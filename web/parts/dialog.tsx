import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { words } from '../words/index.ts'
import { canChange } from '../world/role.ts'
import { Form, type FormProps } from './form.tsx'
import { Icon } from './icons.tsx'
import { useKeys } from './keys.ts'

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
  typed?: string | undefined
  isReady?: boolean
  onConfirm(): Promise<unknown>
  onClose(): void
}

/** Asks before something is deleted or replaced. An error is shown in the dialog. */
export function Confirm({ children, typed, isReady = true, onConfirm, ...more }: ConfirmProps) {
  const [text, setText] = useState('')
  return (
    <FormDialog {...more} isDanger isReady={isReady && (typed === undefined || text === typed)} onSubmit={onConfirm}>
      <div>{children}</div>
      {typed !== undefined && (
        <label class="field">
          <span>{words().typeToConfirm(typed)}</span>
          <input value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} autocomplete="off" />
        </label>
      )}
    </FormDialog>
  )
}

type FormDialogProps = Pick<DialogProps, 'title' | 'onClose'> & Omit<FormProps, 'onCancel'>

/** A form in a dialog, which closes when the form was sent. Errors are shown in it: it covers messages. */
export const FormDialog = ({ title, onClose, onSubmit, ...more }: FormDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <Form
      {...more}
      onCancel={onClose}
      onSubmit={async (values) => {
        await onSubmit(values)
        onClose()
      }}
    />
  </Dialog>
)

interface DialogButtonProps {
  /** Text of the button. */
  title: string
  /** Key that does the same. */
  keys?: string
  class?: string
  dialog(close: () => void): ComponentChildren
}

/** A button that opens a dialog in which something is changed: viewers do not have it. */
export function DialogButton({ title, keys, class: name, dialog }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const isVisible = canChange()
  useKeys(keys !== undefined && isVisible ? [{ keys, title, run: () => setOpen(true) }] : [])
  if (!isVisible) return null
  return (
    <>
      {isOpen && dialog(() => setOpen(false))}
      <button type="button" class={name} onClick={() => setOpen(true)}>
        {title}
      </button>
    </>
  )
}
