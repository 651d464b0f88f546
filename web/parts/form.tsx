import { type ComponentChildren, createContext, type InputHTMLAttributes, type TextareaHTMLAttributes } from 'preact'
import { useContext, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { words as w } from '../words/index.ts'
import { CallError } from '../world/client.ts'
import { Button } from './button.tsx'
import { ErrorPanel } from './feedback.tsx'
import { Marked } from './values.tsx'

/** `V`: the values of its fields. */
export interface FormProps<V> {
  /** Text of its button. */
  action: string
  isDanger?: boolean | undefined
  isReady?: boolean | undefined
  /** Gets the fields by their names, which are usually those of the members of a body. A CallError is shown in the form. */
  onSubmit(values: V): Promise<unknown>
  onCancel(): void
  children: ComponentChildren
}

/** What the server says about one field: `price: must be a number` is shown at the field `price`. */
interface FieldError {
  name: string
  text: string
}
const WrongField = createContext<FieldError | undefined>(undefined)

/** The error of a field of this form; undefined if it is about none, or about several. */
function fieldErrorOf(error: CallError | undefined, form: HTMLFormElement | null): FieldError | undefined {
  const [, member = '', text = ''] = /^([\w.]+): (.+)$/s.exec(error?.message ?? '') ?? []
  const name = [member, member.split('.').at(-1)!].find((one) => one !== '' && form?.elements.namedItem(one))
  return name === undefined ? undefined : { name, text }
}

/** Fields that are sent together. */
export function Form<V>({ action, isDanger = false, isReady = true, onSubmit, onCancel, children }: FormProps<V>) {
  const [error, setError] = useState<CallError>()
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const wrong = fieldErrorOf(error, form.current)
  useLayoutEffect(() => {
    if (wrong) (form.current!.elements.namedItem(wrong.name) as HTMLElement).focus()
  }, [error])
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const values = valuesOf<V>(event.currentTarget as HTMLFormElement)
    setBusy(true)
    setError(undefined)
    try {
      await onSubmit(values)
    } catch (thrown) {
      if (!(thrown instanceof CallError)) throw thrown
      setError(thrown)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form ref={form} onSubmit={submit} class="stack">
      <WrongField.Provider value={wrong}>{children}</WrongField.Provider>
      {error && !wrong && <ErrorPanel error={error} />}
      <div class="buttons">
        <Button title={w.cancel} run={onCancel} />
        <button type="submit" class={isDanger ? 'danger' : 'primary'} disabled={isBusy || !isReady}>
          {action}
        </button>
      </div>
    </form>
  )
}

/** The fields of a form by name; those that are empty are left out. The caller knows their types. */
export function valuesOf<V>(form: HTMLFormElement): V {
  const fields = [...form.elements].filter((one): one is HTMLInputElement => 'name' in one && one.name !== '')
  return Object.fromEntries(
    fields.map((one) => [one.name, fieldValue(one)]).filter(([, value]) => value !== undefined),
  ) as V
}

/** Whether a box is checked, else a number, JSON or a text without spaces at its ends; of an empty field null or undefined. */
function fieldValue({ type, value, checked, inputMode, dataset }: HTMLInputElement): unknown {
  if (type === 'checkbox') return checked
  const text = value.trim()
  if (text === '') return dataset.empty === 'null' ? null : undefined
  if (type === 'number' || inputMode === 'numeric') return Number(text)
  return dataset.json === undefined ? text : JSON.parse(text)
}

/** Of any field with a name. `value` is that at first: rendering again must not undo what was typed. */
interface NamedProps {
  label: string
  hint?: string | undefined
  name: string
  value?: string | number | null | undefined
  /** What an empty field means; without it the member is left out. */
  'data-empty'?: 'null' | undefined
}

type Others<Attributes> = Omit<Attributes, 'label' | 'value'>

/** A text field of a form. */
export const Input = ({ label, hint, value, ...attributes }: NamedProps & Others<InputHTMLAttributes>) => (
  <Field label={label} hint={hint} name={attributes.name}>
    {(more) => <input autocomplete="off" {...attributes} {...more} defaultValue={value ?? ''} />}
  </Field>
)

/** A box to check. */
export const Check = ({ label, name, isChecked }: { label: string; name: string; isChecked?: boolean }) => (
  <label class="row">
    <input type="checkbox" name={name} defaultChecked={isChecked} /> {label}
  </label>
)

interface OptionsProps extends NamedProps {
  value?: string | null | undefined
  options: readonly Choice<string>[]
  /** The values are JSON, such as numbers. */
  'data-json'?: boolean
}

/** A value with its title; without one it is shown as it is. */
export type Choice<T extends string, Title = string> = T | readonly [value: T, title: Title]
const pairOf = <T extends string, Title>(one: Choice<T, Title>): readonly [T, Title | T] =>
  typeof one === 'string' ? [one, one] : one

/** Values with their titles among the texts of a screen. */
export const titled = <const T extends string>(values: readonly T[], titles: Record<NoInfer<T>, string>): Choice<T>[] =>
  values.map((one) => [one, titles[one]])

/** A choice of a form. */
export const Options = ({ label, hint, value, options, ...attributes }: OptionsProps) => (
  <Field label={label} hint={hint} name={attributes.name}>
    {(more) => (
      <select {...attributes} {...more}>
        {options.map(pairOf).map(([option, title]) => (
          <option key={option} value={option} selected={option === value}>
            {title}
          </option>
        ))}
      </select>
    )}
  </Field>
)

interface FieldProps {
  label: string
  hint?: string | undefined
  /** The server's words about this field; a `Form` gives them to the field with the name. */
  error?: string | undefined
  name?: string | undefined
  children(attributes: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean }): ComponentChildren
}

/** A label with any control, its hint and its error. */
export function Field({ label, hint, name, error: ownError, children }: FieldProps) {
  const id = useId()
  const wrong = useContext(WrongField)
  const error = ownError ?? (wrong?.name === name ? wrong?.text : undefined)
  const note = error ?? hint
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(note !== undefined && { 'aria-describedby': `${id}-note` }),
        ...(error !== undefined && { 'aria-invalid': true }),
      })}
      {note !== undefined && (
        <small id={`${id}-note`} class={error === undefined ? 'muted' : 'bad'}>
          <Marked text={note} />
        </small>
      )}
    </div>
  )
}

export interface SelectProps<T extends string, Title = string> {
  label: string
  value: T
  options: readonly Choice<T, Title>[]
  onValue(value: T): void
}

/** A choice with its label before it. */
export const Select = <T extends string>({ label, value, options, onValue }: SelectProps<T>) => (
  <label class="select">
    <span>{label}</span>
    <select value={value} onChange={({ currentTarget }) => onValue(currentTarget.value as T)}>
      {options.map(pairOf).map(([option, title]) => (
        <option key={option} value={option}>
          {title}
        </option>
      ))}
    </select>
  </label>
)

/** A few choices of which all are seen, such as the states of a list. */
export function Choices<T extends string>({ label, value, options, onValue }: SelectProps<T, ComponentChildren>) {
  const name = useId()
  return (
    <fieldset class="choices">
      <legend class="hidden">{label}</legend>
      {options.map(pairOf).map(([option, title]) => (
        <label key={option}>
          <input type="radio" name={name} checked={option === value} onChange={() => onValue(option)} />
          <span>{title}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** A text of several lines. */
export const Text = ({ label, hint, value, ...attributes }: NamedProps & Others<TextareaHTMLAttributes>) => (
  <Field label={label} hint={hint} name={attributes.name}>
    {(more) => <textarea rows={3} {...more} {...attributes} defaultValue={value ?? ''} />}
  </Field>
)
