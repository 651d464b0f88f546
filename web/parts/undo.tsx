import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { AnswerOf } from '../../lib/types.ts'
import { words as w } from '../words/index.ts'
import { formatAddress } from '../world/address.ts'
import { orNull, ownSnapshots, read, send } from '../world/client.ts'
import { canChange } from '../world/role.ts'
import { Confirm } from './dialog.tsx'
import { attempt, closeUndone, notify } from './toasts.tsx'
import { foreign, Method, visible } from './values.tsx'

/** The address of what differs between two states. */
export const diffAddress = (query: Record<string, string | undefined>): string =>
  formatAddress('worlds', ['diff'], query)

/** A link to what differs between two states, or a state and now. */
export const Compare = (states: { from?: string; to?: string }) => <a href={diffAddress(states)}>{w.compare}</a>

type Undone = AnswerOf<'GET /undo'>

/** What the person is asked to confirm. */
const asked = signal<(Undone & { more?: ComponentChildren }) | undefined>(undefined)

/**
 * Restores the state before a change, or before the latest one of the console or a command. Asks if that takes back more than a change of this page;
 * `asks`: always, with `more` below.
 */
export async function undo(name?: string, asks = false, more?: ComponentChildren): Promise<void> {
  if (!canChange.value) return notify(w.readOnlyWhy)
  const preview = await attempt(() =>
    orNull(read('GET /undo', { query: { name, automatic: 'control' } }), [404, 409]),
  ).catch(() => undefined)
  if (preview === null) notify(w.nothingToUndo)
  else if (preview && (asks || isMore(preview))) asked.value = { ...preview, more }
  else if (preview) await attempt(() => restore(preview)).catch(() => {})
}

const isMore = ({ restored, removed }: Undone): boolean =>
  !ownSnapshots.has(restored.name) || removed.requests > 0 || removed.control_calls > 1

async function restore({ restored: { name, label } }: Undone): Promise<void> {
  const undone = await send('POST /undo', { body: { name } })
  closeUndone(name)
  notify(isMore(undone) ? `${w.undone(visible(label ?? ''))} · ${summaryOf(undone)}` : w.undone(visible(label ?? '')))
}

const summaryOf = ({ removed: { control_calls, requests, changes } }: Undone): string =>
  w.undoes(control_calls, requests, changes)

/** Asks before an undo takes back what others have done since. */
export function UndoDialog() {
  const undone = asked.value
  if (!undone) return null
  const { restored, removed, calls, more } = undone
  const unlisted = removed.requests + removed.control_calls - calls.length
  return (
    <Confirm
      title={w.undoTitle(visible(restored.label ?? ''))}
      action={w.undo}
      onSubmit={() => restore(undone)}
      onClose={() => (asked.value = undefined)}
    >
      <p>{summaryOf(undone)}</p>
      <ul>
        {calls.map(({ kind, id, method, path }) => (
          <li key={kind + id}>
            <span class="mono">
              <Method name={method} /> {foreign(path)}
            </span>{' '}
            <span class="muted">{w[kind]}</span>
          </li>
        ))}
        {unlisted > 0 && <li class="muted">{w.showMore(unlisted)}</li>}
      </ul>
      {more}
    </Confirm>
  )
}
