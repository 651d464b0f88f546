import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { words as w } from '../words/index.ts'
import { CallError, type Change, lastChange } from '../world/client.ts'
import { Button, IconButton } from './button.tsx'
import { ErrorPanel } from './feedback.tsx'
import { visible } from './values.tsx'

interface Toast {
  id: number
  content: ComponentChildren
  isError: boolean
  /** How often the same was said. */
  times: number
  /** The change that it is about, which can be undone. */
  change: Change | undefined
}

/** Ms that a message stays; errors stay until they are closed. */
const SHOWN_MS = 6000
const toasts = signal<Toast[]>([])
let lastId = 0

const close = (id: number) => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

function show(content: ComponentChildren, isError: boolean, change?: Change): void {
  const id = ++lastId
  const same = toasts.value.find((toast) => typeof content === 'string' && toast.content === content)
  const others = toasts.value.filter((toast) => toast !== same)
  toasts.value = [...others.slice(1 - MAX_TOASTS), { id, content, isError, times: (same?.times ?? 0) + 1, change }]
  isAtTop.value = isWorkingBelow()
  if (!isError) setTimeout(() => close(id), SHOWN_MS)
}

const MAX_TOASTS = 3
/** Messages must not cover what a person works on. */
const isAtTop = signal(false)
/** Of the corner where messages appear, in px. */
const CORNER = { width: 450, height: 220 }

function isWorkingBelow(): boolean {
  const { activeElement, body } = document
  if (!activeElement || activeElement === body || activeElement.id === 'main') return false
  const { right, bottom } = activeElement.getBoundingClientRect()
  return right > innerWidth - CORNER.width && bottom > innerHeight - CORNER.height
}

/** The last change, until a message is about it. */
let unsaid: Change | undefined
lastChange.subscribe((change) => {
  unsaid = change
  // The code that has made it goes on before, and may have a message of its own.
  setTimeout(() => unsaid && unsaid === change && notify(w.done(visible(change.label))))
})

/** Says what was done, usually with a link to what it made; after a change, with a button that undoes it. */
export function notify(content: ComponentChildren): void {
  show(content, false, unsaid)
  unsaid = undefined
}

/** The number in the name of an automatic snapshot, which later ones have a higher one of. */
const numberOf = (snapshot: string): number => Number(snapshot.split('.')[1])

/** Closes the messages about changes since a snapshot. */
export const closeUndone = (snapshot: string): void => {
  toasts.value = toasts.value.filter(({ change }) => !change || numberOf(change.snapshot) < numberOf(snapshot))
}

/** Runs what a person asked for. A failed call is shown with its curl and "again", and then thrown. */
export async function attempt<T>(run: () => Promise<T> | T): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof CallError)
      show(<ErrorPanel error={error} again={() => void attempt(run).catch(() => {})} />, true)
    throw error
  }
}

/** The same of a button, which waits for nothing: says `said` afterwards. */
export const act = (run: () => unknown, said?: string): void =>
  void attempt(run).then(
    () => said && notify(said),
    () => {},
  )

export const Toasts = ({ onUndo }: { onUndo(snapshot: string): void }) => (
  <div class="toasts" role="status" data-top={isAtTop.value}>
    {toasts.value.map(({ id, content, isError, times, change }) => (
      <div key={id} class="toast" data-error={isError}>
        <div>
          {content}
          {times > 1 && ` × ${times}`}
        </div>
        {change && <Button class="small" title={w.undo} run={() => onUndo(change.snapshot)} />}
        <IconButton class="plain" icon="close" title={w.close} run={() => close(id)} />
      </div>
    ))}
  </div>
)
