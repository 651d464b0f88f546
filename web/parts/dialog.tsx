import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { words } from '../words/index.ts'
import { canChange } from '../world/role.ts'
import { Form, type FormProps, type Values } from './form.tsx'
import { Icon } from './icons.tsx'
import { useKeys } from './keys.ts'
import { visible } from './text.tsx'

interface DialogProps {
  title: string
  onClose(): void
  children: ComponentChildren
  class?: string
}

/**
 * A modal dialog: it is open while it is rendered. Escape, its cross and a click outside close it, but ask first if text was
 * typed into a form; what `Cancel` drops was meant.
 */
export function Dialog({ title, onClose, children, class: name = '' }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const typed = useRef(new Set<TextField>())
  /** The button of the mouse was pressed, and released, outside: a selection may end there. */
  const isOutside = useRef(false)
  const [isAsking, setAsking] = useState(false)
  const id = useId()
  // Before the next key, which is typed into the dialog.
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null
    dialog.current!.showModal()
    return () => before?.focus()
  }, [])
  const withText = () => [...typed.current].filter((field) => field.isConnected && field.value.trim() !== '')
  const close = () => (withText().length > 0 ? setAsking(true) : onClose())
  const keep = () => {
    setAsking(false)
    withText().at(-1)?.focus()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by keyboard
    <dialog
      ref={dialog}
      class={name}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      // A browser does not let a page prevent two Escapes in a row.
      onClose={() => dialog.current?.showModal()}
      onInput={({ target }) => {
        if (isTextOfForm(target)) typed.current.add(target)
        setAsking(false)
      }}
      onPointerDown={({ target }) => {
        isOutside.current = target === dialog.current
      }}
      onPointerUp={({ target }) => {
        isOutside.current &&= target === dialog.current
      }}
      onClick={({ target }) => target === dialog.current && isOutside.current && close()}
    >
      <div class="dialog-content">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="plain" onClick={close} aria-label={words().close}>
            <Icon name="close" />
          </button>
        </header>
        {isAsking && <AskToDiscard onKeep={keep} onDiscard={onClose} />}
        {children}
      </div>
    </dialog>
  )
}

type TextField = HTMLInputElement | HTMLTextAreaElement

/** Whether it is sent with a form, so that a person would miss it: no search, no box to check, no name that confirms. */
const isTextOfForm = (target: EventTarget | null): target is TextField =>
  (target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'range', 'file'].includes(target.type))) &&
  target.form !== null &&
  target.name !== ''

function AskToDiscard({ onKeep, onDiscard }: { onKeep(): void; onDiscard(): void }) {
  const keep = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => keep.current!.focus(), [])
  const w = words()
  return (
    <div class="ask-to-discard" role="alert">
      <p>{w.textWillBeLost}</p>
      <div class="buttons">
        <button type="button" ref={keep} onClick={onKeep}>
          {w.keepEditing}
        </button>
        <button type="button" class="danger" onClick={onDiscard}>
          {w.discard}
        </button>
      </div>
    </div>
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

type FormDialogProps = Pick<DialogProps, 'title' | 'onClose'> & Omit<FormProps, 'onCancel'>

/** A form in a dialog, which closes when it was sent. A CallError is shown in it: it covers messages. */
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
  const isVisible = canChange.value
  useKeys(keys !== undefined && isVisible ? [{ keys, title, run: () => setOpen(true) }] : [])
  if (!isVisible) return null
  return (
    <>
      {isOpen && dialog(() => setOpen(false))}
      <button type="button" class={name} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {title}
      </button>
    </>
  )
}
