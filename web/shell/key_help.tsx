import { signal } from '@preact/signals'
import { Dialog } from '../parts/dialog.tsx'
import { activeBindings, type KeyBinding } from '../parts/keys.ts'
import { words as w } from '../words/index.ts'
import { letterKeys } from '../world/settings.ts'

/** The keys that worked when the help was opened. */
const shown = signal<KeyBinding[] | undefined>(undefined)

export const openKeyHelp = (): void => {
  // In the order in which they were bound.
  shown.value = activeBindings().reverse()
}

export function KeyHelp() {
  const bindings = shown.value
  if (!bindings) return null
  const group = (isGlobal: boolean) =>
    [...new Map(bindings.map((one) => [one.keys, one])).values()].filter((one) => (one.isGlobal ?? false) === isGlobal)
  return (
    <Dialog title={w.keys} class="wide-dialog" onClose={() => (shown.value = undefined)}>
      {letterKeys.value === 'off' && <p class="muted">{w.keysOff}</p>}
      <div class="key-help">
        <KeyList title={w.keysHere} bindings={group(false)} />
        <KeyList title={w.keysEverywhere} bindings={group(true)} />
      </div>
    </Dialog>
  )
}

const KeyList = ({ title, bindings }: { title: string; bindings: KeyBinding[] }) =>
  bindings.length === 0 ? null : (
    <section>
      <h3>{title}</h3>
      <dl>
        {bindings.map(({ keys, title }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{NAMES[key] ?? key}</kbd>
              ))}
            </dt>
            <dd>{title}</dd>
          </div>
        ))}
      </dl>
    </section>
  )

const NAMES: Record<string, string> = { Escape: 'Esc', Control: 'Ctrl' }
