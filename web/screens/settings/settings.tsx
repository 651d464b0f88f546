import { ReadOnly } from '../../parts/rows.tsx'
import type { ScreenProps } from '../screen.ts'
import { words } from '../words.ts'
import { Applications } from './applications.tsx'
import { BrowserSettings } from './browser.tsx'
import { Server } from './server.tsx'
import { Tokens } from './tokens.tsx'
import { Users } from './users.tsx'

/** `#/settings/tokens?user_id=2500000101` */
export default function Settings({ path: [open = ''], query }: ScreenProps) {
  const w = words().settings
  const sections = [
    { name: '', title: w.browser, content: <BrowserSettings /> },
    { name: 'applications', title: w.applications, content: <Applications /> },
    { name: 'tokens', title: w.tokens, content: <Tokens query={query} /> },
    { name: 'users', title: w.users, content: <Users query={query} /> },
    { name: 'server', title: w.server, content: <Server /> },
  ]
  const section = sections.find(({ name }) => name === open) ?? sections[0]!
  return (
    <div class="page stack">
      <div class="page-head">
        <h1>{w.title}</h1>
        <ReadOnly />
      </div>
      <nav class="tabs" aria-label={w.title}>
        {sections.map(({ name, title }) => (
          <a key={name} href={`#/settings/${name}`} aria-current={name === section.name ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <section class="stack" aria-label={section.title} key={section.name}>
        {section.content}
      </section>
    </div>
  )
}
