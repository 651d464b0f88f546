import type { IconName } from '../parts/icons.tsx'
import { activeBindings } from '../parts/keys.ts'
import { SCREENS } from '../screens/index.ts'
import { words } from '../words/index.ts'
import { language } from '../words/words.ts'
import { go } from '../world/navigation.ts'

export interface Command {
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
export function commandsFor(text: string): Command[] {
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
