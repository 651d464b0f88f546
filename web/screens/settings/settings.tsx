import type { ComponentChildren } from 'preact'
import type { AnswerOf } from '../../../lib/types.ts'
import { FactList } from '../../parts/facts.tsx'
import { Show } from '../../parts/feedback.tsx'
import { Choices } from '../../parts/form.tsx'
import { ReadOnly } from '../../parts/rows.tsx'
import { visible } from '../../parts/text.tsx'
import { SNIPPETS } from '../../snippets/index.ts'
import { words as common } from '../../words/index.ts'
import { distanceOf } from '../../words/time.ts'
import { changeLanguage, type Language, language, number } from '../../words/words.ts'
import type { Address } from '../../world/address.ts'
import { useCall } from '../../world/load.ts'
import { letterKeys, snippetLanguage, type Theme, theme } from '../../world/settings.ts'
import { words } from '../words.ts'
import { Applications } from './applications.tsx'
import { Tokens } from './tokens.tsx'

/** `#/settings/tokens?user_id=2500000101` */
export default function Settings({ path: [open = ''], query }: Address) {
  const w = words().settings
  const sections = [
    { name: '', title: w.browser, content: <BrowserSettings /> },
    { name: 'applications', title: w.applications, content: <Applications /> },
    { name: 'tokens', title: w.tokens, content: <Tokens query={query} /> },
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

/** The flags with which the server runs. */
function Server() {
  const loaded = useCall('GET /server', {})
  return <Show loaded={loaded}>{(server) => <Info server={server} />}</Show>
}

function Info({
  server: { version, node, sqlite, started_at, mode, data, flags, limits },
}: {
  server: AnswerOf<'GET /server'>
}) {
  const w = words().settings
  return (
    <>
      <div class="card">
        <FactList
          of={[
            ['mercadito', version],
            ['Node', node],
            ['SQLite', sqlite],
            [w.started, distanceOf(Date.parse(started_at), Date.now())],
            [w.worlds, mode === 'temporary' ? w.temporary : (data ?? common().shared)],
          ]}
        />
      </div>
      <h2>{w.flags}</h2>
      <ul class="rows" aria-label={w.flags}>
        {flags.map(({ name, value, source }) => (
          <li key={name}>
            <code>{visible(name)}</code>
            <bdi class="flag-value">{visible(textOf(value))}</bdi>
            <span class="badge" data-tone={source === 'default' ? undefined : 'info'}>
              {w[source]}
            </span>
          </li>
        ))}
      </ul>
      <h2>{w.limits}</h2>
      <div class="card">
        <FactList of={Object.entries(limits).map(([name, value]) => [name, textOf(value)] as const)} />
      </div>
    </>
  )
}

const textOf = (value: string | number | boolean | null): string =>
  value === null ? '–' : typeof value === 'number' ? number(value) : String(value)

/** In its own language each. */
const NAMES: [Language, string][] = [
  ['es', 'Español'],
  ['pt', 'Português'],
  ['en', 'English'],
]

function BrowserSettings() {
  const w = words().settings
  const c = common()
  return (
    <div class="card stack">
      <p class="muted">{w.browserWhy}</p>
      <Setting title={c.language}>
        <Choices
          label={c.language}
          value={language.value}
          options={NAMES}
          onValue={(one) => void changeLanguage(one)}
        />
      </Setting>
      <Setting title={c.theme}>
        <Choices<Theme>
          label={c.theme}
          value={theme.value}
          options={[
            ['auto', c.themeAuto],
            ['light', c.themeLight],
            ['dark', c.themeDark],
          ]}
          onValue={(one) => {
            theme.value = one
          }}
        />
      </Setting>
      <Setting title={w.letterKeys} hint={w.letterKeysWhy}>
        <Choices<'on' | 'off'>
          label={w.letterKeys}
          value={letterKeys.value}
          options={[
            ['on', w.on],
            ['off', w.off],
          ]}
          onValue={(one) => {
            letterKeys.value = one
          }}
        />
      </Setting>
      <Setting title={c.copyAs}>
        <Choices
          label={c.copyAs}
          value={snippetLanguage.value}
          options={SNIPPETS.map(({ name, title }) => [name, title] as const)}
          onValue={(one) => {
            snippetLanguage.value = one
          }}
        />
      </Setting>
    </div>
  )
}

const Setting = ({ title, hint, children }: { title: string; hint?: string; children: ComponentChildren }) => (
  <div class="setting">
    <div>
      <strong>{title}</strong>
      {hint && <p class="muted">{hint}</p>}
    </div>
    <div>{children}</div>
  </div>
)
