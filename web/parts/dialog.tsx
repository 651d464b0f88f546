import { type ComponentChildren, createContext } from 'preact'
import { useContext, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { words as w } from '../words/index.ts'
import { canChange } from '../world/role.ts'
import { Button, IconButton } from './button.tsx'
import { Form, type FormProps } from './form.tsx'
import { useKeys } from './keys.ts'
import { visible } from './values.tsx'

/** Closes the dialog that a button has opened. */
const CloseOpened = createContext(() => {})

interface DialogProps {
  title: string
  /** Not needed in a DialogButton. */
  onClose?: (() => void) | undefined
  children: ComponentChildren
  class?: string
}

/**
 * A modal dialog: it is open while it is rendered. Escape, its cross and a click outside close it, but ask first if text was
 * typed into a form; what `Cancel` drops was meant.
 */
export function Dialog({ title, onClose: given, children, class: name = '' }: DialogProps) {
  const opened = useContext(CloseOpened)
  const onClose = given ?? opened
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
          <IconButton class="plain" icon="close" title={w.close} run={close} />
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
  return (
    <div class="ask-to-discard" role="alert">
      <p>{w.textWillBeLost}</p>
      <div class="buttons">
        <button type="button" ref={keep} onClick={onKeep}>
          {w.keepEditing}
        </button>
        <Button class="danger" title={w.discard} run={onDiscard} />
      </div>
    </div>
  )
}

interface FormDialogProps<V> extends Omit<FormProps<V>, 'onCancel' | 'action'>, Pick<DialogProps, 'title' | 'onClose'> {
  /** Text of the form's button. Default: the title. */
  action?: string
}

/** A form in a dialog, which closes when it was sent. A CallError is shown in it: it covers messages. */
export function FormDialog<V>({ title, action = title, onClose, onSubmit, ...more }: FormDialogProps<V>) {
  const opened = useContext(CloseOpened)
  const close = onClose ?? opened
  const submit = async (values: V) => {
    await onSubmit(values)
    close()
  }
  return (
    <Dialog title={title} onClose={close}>
      <Form {...more} action={action} onCancel={close} onSubmit={submit} />
    </Dialog>
  )
}

interface ConfirmProps<V> extends FormDialogProps<V> {
  /** A name that must be typed, for what cannot be undone. */
  typed?: string | undefined
}

/** Asks before something is deleted or replaced; the content says what will be lost. */
export function Confirm<V>({ children, typed, isReady = true, ...form }: ConfirmProps<V>) {
  const [text, setText] = useState('')
  const isTyped = typed === undefined || text === typed || text === visible(typed)
  return (
    <FormDialog {...form} isDanger isReady={isReady && isTyped}>
      <div class="stack">{children}</div>
      {typed !== undefined && (
        <label class="field">
          <span>{w.typeToConfirm(visible(typed))}</span>
          <input value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} autocomplete="off" />
        </label>
      )}
    </FormDialog>
  )
}

interface DialogButtonProps {
  /** Text of the button. */
  title: string
  /** Key that does the same. */
  keys?: string | undefined
  class?: string
  /** The dialog. */
  children: ComponentChildren
}

/** A button that opens a dialog in which something is changed: viewers do not have it. */
export function DialogButton({ title, keys, class: name, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const isVisible = canChange.value
  useKeys(keys !== undefined && isVisible ? [{ keys, title, run: () => setOpen(true) }] : [])
  if (!isVisible) return null
  return (
    <>
      {isOpen && <CloseOpened.Provider value={() => setOpen(false)}>{children}</CloseOpened.Provider>}
      <Button class={name} aria-haspopup="dialog" title={title} run={() => setOpen(true)} />
    </>
  )
}

interface ConfirmButtonProps<V>
  extends Omit<ConfirmProps<V>, 'title' | 'onClose'>,
    Pick<DialogButtonProps, 'title' | 'class'> {
  /** Of the dialog. Default: the text of the button. */
  heading?: string
}

/** A button that asks before it does something. */
export const ConfirmButton = <V,>({
  title,
  class: name,
  heading = title,
  action = title,
  ...more
}: ConfirmButtonProps<V>) => (
  <DialogButton title={title} {...(name && { class: name })}>
    <Confirm title={heading} action={action} {...more} />
  </DialogButton>
)
