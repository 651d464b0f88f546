import type { ComponentChildren, InputHTMLAttributes } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  label: string
  hint?: string | undefined
  /** The server's words about this field. */
  error?: string | undefined
  children(attributes: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean }): ComponentChildren
}

/** A label with any control, its hint and its error. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
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
          {note}
        </small>
      )}
    </div>
  )
}

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  value: string
  onValue(value: string): void
  attributes?: InputHTMLAttributes<HTMLInputElement>
}

export const TextField = ({ value, onValue, attributes = {}, ...field }: TextFieldProps) => (
  <Field {...field}>
    {(more) => (
      <input
        autocomplete="off"
        {...attributes}
        {...more}
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
    )}
  </Field>
)

interface SelectProps<T extends string, Title = string> {
  label: string
  value: T
  options: readonly (readonly [value: T, title: Title])[]
  onValue(value: T): void
}

/** A choice with its label before it. */
export const Select = <T extends string>({ label, value, options, onValue }: SelectProps<T>) => (
  <label class="select">
    <span>{label}</span>
    <select value={value} onChange={({ currentTarget }) => onValue(currentTarget.value as T)}>
      {options.map(([option, title]) => (
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
      {options.map(([option, title]) => (
        <label key={option}>
          <input type="radio" name={name} checked={option === value} onChange={() => onValue(option)} />
          <span>{title}</span>
        </label>
      ))}
    </fieldset>
  )
}
