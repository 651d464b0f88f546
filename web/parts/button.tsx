import type { ButtonHTMLAttributes } from 'preact'
import { Icon, type IconName } from './icons.tsx'

export interface ButtonProps
  extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'title' | 'onClick' | 'type' | 'icon'> {
  /** Its text. */
  title: string
  /** The key that does the same, shown beside its text. */
  keys?: string | undefined
  run(): unknown
}

/** A button that does not submit a form. */
export const Button = ({ title, keys, run, ...attributes }: ButtonProps) => (
  <button type="button" {...attributes} onClick={() => void run()}>
    {title} {keys && <kbd>{keys}</kbd>}
  </button>
)

/** The same with an icon in place of its text, which screen readers get. */
export const IconButton = ({ title, icon, run, ...attributes }: ButtonProps & { icon: IconName }) => (
  <button type="button" {...attributes} aria-label={title} onClick={() => void run()}>
    <Icon name={icon} />
  </button>
)
