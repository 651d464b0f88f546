import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { canChange } from '../world/role.ts'
import { useKeys } from './keys.ts'

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
