import { useLayoutEffect, useRef } from 'preact/hooks'
import { letterKeys } from '../world/settings.ts'

export interface KeyBinding {
  /** `/`, `Escape`, or two letters that follow each other: `g r`. */
  keys: string
  /** What it does, in the person's language. */
  title: string
  run(): void
  /** Works on every screen. */
  isGlobal?: boolean
}

/** Ms in which the second letter must follow. */
const SEQUENCE_MS = 1200
const layers: { current: KeyBinding[] }[] = []
let prefix: { key: string; at: number } | undefined

/** The bindings that work now; those of the innermost component first. */
export const activeBindings = (): KeyBinding[] => layers.flatMap(({ current }) => current).reverse()

/** Binds keys while the component is shown; those of later components come first. */
export function useKeys(bindings: KeyBinding[]): void {
  const layer = useRef(bindings)
  layer.current = bindings
  // Before it is painted: keys work as soon as the person sees the screen.
  useLayoutEffect(() => {
    layers.push(layer)
    return () => void layers.splice(layers.indexOf(layer), 1)
  }, [])
}

/** Starts to listen; called once. */
export const listenForKeys = (): void => addEventListener('keydown', onKeyDown)

function onKeyDown(event: KeyboardEvent): void {
  const { key } = event
  if (event.defaultPrevented || event.isComposing || isTyping(event.target)) return
  // A dialog has its own keys.
  if (document.querySelector('dialog[open]')) return
  if (event.ctrlKey || event.metaKey || event.altKey || (key.length === 1 && letterKeys.value === 'off')) return
  const sequence = prefix && performance.now() - prefix.at < SEQUENCE_MS ? `${prefix.key} ${key}` : undefined
  prefix = undefined
  const bindings = activeBindings()
  const found = bindings.find(({ keys }) => keys === sequence) ?? bindings.find(({ keys }) => keys === key)
  if (found) {
    event.preventDefault()
    found.run()
  } else if (bindings.some(({ keys }) => keys.startsWith(`${key} `))) prefix = { key, at: performance.now() }
}

/** Radio buttons and checkboxes take no letters. */
const TYPED = 'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]'
const isTyping = (target: EventTarget | null): boolean => target instanceof HTMLElement && target.matches(TYPED)
