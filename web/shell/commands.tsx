import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'
import { activeBindings, type KeyBinding } from '../parts/keys.ts'
import { SCREENS } from '../screens/index.ts'
import { words } from '../words/index.ts'
import { language } from '../words/words.ts'
import { go } from '../world/navigation.ts'
import { letterKeys } from '../world/settings.ts'

const isOpen = signal(false)

export const openPalette = (): void => {
  isOpen.value = true
}

export const Palette = () => (isOpen.value ? <OpenPalette /> : null)

function OpenPalette() {
  const [text, setText] = useState('')
  const [position, setPosition] = useState(0)
  const w = words()
  const close = () => {
    isOpen.value = false
  }
  const commands = commandsFor(text)
  const active = commands[Math.min(position, commands.length - 1)]
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setPosition((position + step + commands.length) % Math.max(1, commands.length))
    } else if (event.key === 'Enter' && active) {
      event.preventDefault()
      close()
      active.run()
    }
  }
  return (
    <Dialog title={w.palette} class="palette" onClose={close}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={active && `palette-${active.id}`}
        aria-label={w.search}
        placeholder={w.search}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setPosition(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" role="listbox" aria-label={w.palette}>
        {commands.map((command) => (
          <div
            key={command.id}
            id={`palette-${command.id}`}
            role="option"
            aria-selected={command === active}
            onClick={() => {
              close()
              command.run()
            }}
          >
            <Icon name={command.icon} />
            <span>{command.title}</span>
            {command.keys && <kbd>{command.keys}</kbd>}
          </div>
        ))}
      </div>
      {commands.length === 0 && <p class="muted palette-none">{w.nothingFound}</p>}
    </Dialog>
  )
}

interface Command {
  id: string
  title: string
  icon: IconName
  keys?: string
  run(): void
}

/** What is opened by typing its number: the screen, and the letter that may stand before the number. */
const NUMBERED: [screen: string, letter: string][] = [
  ['requests', 'r'],
  ['webhooks', 'd'],
  ['questions', 'q'],
]

/** Everything that can be done from here and matches all words of `text`. */
function commandsFor(text: string): Command[] {
  const wanted = fold(text).split(/\s+/).filter(Boolean)
  const matches = ({ title }: Command) => wanted.every((word) => fold(title).includes(word))
  return [...jumpsFor(text.trim()), ...[...actions(), ...screens()].filter(matches)].slice(0, 50)
}

const screens = (): Command[] =>
  SCREENS.map(({ name, title, icon, letter }) => ({
    id: `screen-${name}`,
    title: words().goTo(title[language.value]),
    icon,
    keys: `g ${letter}`,
    run: () => go(`#/${name}`),
  }))

/** What is bound to keys can also be found by name; the list of screens has those of `g`. */
const actions = (): Command[] =>
  activeBindings()
    .filter(({ keys }) => !keys.startsWith('g ') && keys !== 'Escape')
    .map(({ keys, title, run }) => ({ id: `key-${keys}`, title, icon: 'next' as const, keys, run }))

/** `17`, `r17` or `MLA1400000001`. */
function jumpsFor(text: string): Command[] {
  const [, letter = '', id] = /^([a-z]?)(\d+)$/i.exec(text) ?? []
  if (id === undefined) return []
  return NUMBERED.filter(
    ([name, own]) => (letter === '' || letter.toLowerCase() === own) && SCREENS.some((one) => one.name === name),
  ).map(([name]) => {
    const { title, icon } = SCREENS.find((one) => one.name === name)!
    return { id: `jump-${name}`, title: `${title[language.value]} ${id}`, icon, run: () => go(`#/${name}/${id}`) }
  })
}

/** Lower case, without accents. */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The keys that worked when the help was opened. */
const shown = signal<KeyBinding[] | undefined>(undefined)

export const openKeyHelp = (): void => {
  // In the order in which they were bound.
  shown.value = activeBindings().reverse()
}

export function KeyHelp() {
  const w = words()
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
