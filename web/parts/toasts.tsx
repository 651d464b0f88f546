import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { words } from '../words/index.ts'
import { CallError } from '../world/client.ts'
import { ErrorPanel } from './feedback.tsx'
import { Icon } from './icons.tsx'

interface Toast {
  id: number
  content: ComponentChildren
  isError: boolean
}

/** Ms that a message stays; errors stay until they are closed. */
const SHOWN_MS = 6000
const toasts = signal<Toast[]>([])
let lastId = 0

const close = (id: number) => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

function show(content: ComponentChildren, isError: boolean): void {
  const id = ++lastId
  toasts.value = [...toasts.value.slice(-3), { id, content, isError }]
  if (!isError) setTimeout(() => close(id), SHOWN_MS)
}

/** Says what was done, usually with a link to what it made. */
export const notify = (content: ComponentChildren): void => show(content, false)

/** Runs what a person asked for. A failed call is shown with its curl and "again", and then thrown. */
export async function attempt<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof CallError)
      show(<ErrorPanel error={error} again={() => void attempt(run).catch(() => {})} />, true)
    throw error
  }
}

export const Toasts = () => (
  <div class="toasts" role="status">
    {toasts.value.map(({ id, content, isError }) => (
      <div key={id} class="toast" data-error={isError}>
        <div>{content}</div>
        <button type="button" class="plain" onClick={() => close(id)} aria-label={words().close}>
          <Icon name="close" />
        </button>
      </div>
    ))}
  </div>
)
