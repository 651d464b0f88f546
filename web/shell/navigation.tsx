import { Icon } from '../parts/icons.tsx'
import { SCREEN_GROUPS } from '../screens/index.ts'
import { words } from '../words/index.ts'
import { language } from '../words/words.ts'
import { address } from '../world/navigation.ts'

/** The menu: always there where the page is wide, else a popover. */
export function Navigation() {
  const { screen } = address.value
  const hide = () => document.getElementById('navigation')?.hidePopover?.()
  return (
    <nav class="navigation" aria-label={words().navigation}>
      {SCREEN_GROUPS.map((screens) => (
        <ul key={screens[0]!.name}>
          {screens.map(({ name, title, icon }) => (
            <li key={name}>
              <a href={`#/${name}`} aria-current={name === screen ? 'page' : undefined} onClick={hide}>
                <Icon name={icon} />
                {title[language.value]}
              </a>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  )
}
