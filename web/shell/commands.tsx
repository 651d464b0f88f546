import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'
import { activeBindings } from '../parts/keys.ts'
import { foreign, visible } from '../parts/values.tsx'
import { iconOf, SCREENS, titleOf } from '../screens/index.ts'
import { words as w } from '../words/index.ts'
import { fold } from '../words/words.ts'
import { go } from '../world/navigation.ts'
import { storedList } from '../world/settings.ts'
import type { Found } from './search.ts'

const isOpen = signal(false)

export const openPalette = (): void => {
  isOpen.value = true
}

export const Palette = () => (isOpen.value ? <OpenPalette /> : null)

type Lookup = Pick<typeof import('../screens/others.ts'), 'search' | 'typedActions'>

function OpenPalette() {
  const [text, setText] = useState('')
  const [position, setPosition] = useState(0)
  const [lookup, setLookup] = useState<Lookup>()
  const found = useFound(text, lookup)
  // Its code and texts are those of the other screens.
  useEffect(() => void import('../screens/others.ts').then(setLookup), [])
  const close = () => {
    isOpen.value = false
  }
  const commands = commandsFor(text, lookup, found)
  const active = commands[Math.min(position, commands.length - 1)]
  const type = (next: string) => {
    setText(next)
    setPosition(0)
  }
  const choose = (command: Command) => {
    if (command.completed) return type(command.completed)
    close()
    remember(command)
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setPosition((position + step + commands.length) % Math.max(1, commands.length))
    } else if (event.key === 'Tab' && active?.completed) {
      event.preventDefault()
      type(active.completed)
    } else if (event.key === 'Enter' && active) {
      event.preventDefault()
      choose(active)
    }
  }
  return (
    <Dialog title={w.palette} class="palette" onClose={close}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={active && `palette-${commands.indexOf(active)}`}
        aria-label={w.search}
        placeholder={w.search}
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" role="listbox" aria-label={w.palette}>
        {commands.map((command, n) => (
          <div
            key={command.id}
            id={`palette-${n}`}
            role="option"
            aria-selected={command === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(command)}
          >
            <Icon name={command.icon} />
            <span>
              {foreign(command.title)} {command.hint && <small class="muted">{visible(command.hint)}</small>}
            </span>
            {command.keys && <kbd>{command.keys}</kbd>}
          </div>
        ))}
      </div>
      {commands.length === 0 && <p class="muted palette-none">{w.nothingFound}</p>}
    </Dialog>
  )
}

/** Ms without typing before the server is asked. */
const PAUSE_MS = 150

/** What the server has with the words; that of earlier words until it has answered. */
function useFound(text: string, lookup: Lookup | undefined): Found[] {
  const [found, setFound] = useState<Found[]>([])
  useEffect(() => {
    const controller = new AbortController()
    const timer = setTimeout(
      () =>
        lookup?.search(text, controller.signal).then(
          (results) => controller.signal.aborted || setFound(results),
          () => {},
        ),
      PAUSE_MS,
    )
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [text, lookup])
  return found
}

interface Command {
  id: string
  title: string
  icon: IconName
  hint?: string
  keys?: string
  /** Arguments are missing: choosing it types this. */
  completed?: string | undefined
  run(): void
}

/** What was chosen lately, the latest first: an address, or words that were typed. */
interface Used extends Pick<Command, 'id' | 'title' | 'icon'> {
  hint?: string | undefined
}
const MAX_USED = 6
const used = storedList<Used>('used')

function remember({ id, title, icon, hint }: Command): void {
  used.value = [{ id, title, icon, hint }, ...used.value.filter((one) => one.id !== id)].slice(0, MAX_USED)
}

/** What is opened by typing its number: the screen, and the letter that may stand before the number. */
const NUMBERED = [
  ['requests', 'r'],
  ['webhooks', 'd'],
  ['questions', 'q'],
] as const

/** Everything that can be done from here and matches all words of `text`; without text, first what was used last. */
function commandsFor(text: string, lookup: Lookup | undefined, found: Found[]): Command[] {
  const wanted = fold(text).split(/\s+/).filter(Boolean)
  const matches = ({ title }: Command) => wanted.every((word) => fold(title).includes(word))
  const named = [...actions(), ...screens()].filter(matches)
  const typed = (lookup?.typedActions(text) ?? []).map(
    ({ run = () => {}, completed, ...rest }): Command => ({
      ...{ id: `do ${rest.title}`, ...rest, run },
      completed: rest.hint === '' ? undefined : completed,
    }),
  )
  const results = found.map(({ href, ...rest }): Command => ({ id: href, ...rest, run: () => open(href) }))
  const all = [...jumpsFor(text.trim()), ...typed, ...named, ...(wanted.length > 0 ? results : [])]
  const again = wanted.length > 0 ? [] : used.value.flatMap((one) => againOf(one, lookup, all) ?? [])
  return [...new Map([...again, ...all].map((one) => [one.id, one])).values()].slice(0, MAX_COMMANDS)
}

const MAX_COMMANDS = 50

/** Something that was used before, if it still exists. */
function againOf(one: Used, lookup: Lookup | undefined, all: Command[]): Command | undefined {
  const { id, title, icon, hint = '' } = one
  const known = all.find((command) => command.id === id)
  if (known) return known
  if (id.startsWith('do ')) {
    const run = lookup?.typedActions(title)[0]?.run
    return run && { id, title, icon, run }
  }
  return /^(#|https?:)/.test(id) ? { id, title, icon, hint, run: () => open(id) } : undefined
}

/** An address of the console, or of another page of this server. */
const open = (href: string): void => (href.startsWith('#') ? go(href) : location.assign(href))

const screens = (): Command[] =>
  SCREENS.map((screen) => ({
    ...{ id: `screen-${screen.name}`, title: w.goTo(titleOf(screen.name)), icon: iconOf(screen) },
    ...{ keys: `g ${screen.letter}`, run: () => go(`#/${screen.name}`) },
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
  return NUMBERED.filter(([, own]) => letter === '' || letter.toLowerCase() === own).map(([name]) => {
    const href = `#/${name}/${id}`
    return { id: href, title: `${titleOf(name)} ${id}`, icon: name, run: () => go(href) }
  })
}
