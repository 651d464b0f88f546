import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { AnswerOf } from '../../../lib/types.ts'
import { Show } from '../../parts/feedback.tsx'
import { Choices, type SelectProps, titled } from '../../parts/form.tsx'
import { Page } from '../../parts/page.tsx'
import { Badge, FactList, foreign, visible } from '../../parts/values.tsx'
import { SNIPPETS } from '../../snippets/index.ts'
import { distanceOf } from '../../words/time.ts'
import { changeLanguage, type Language, language, number } from '../../words/words.ts'
import type { Address } from '../../world/address.ts'
import { useCall } from '../../world/load.ts'
import { letterKeys, snippetLanguage, theme } from '../../world/settings.ts'
import { titleOf } from '../index.ts'
import { wordsOf } from '../words.ts'
import { Applications } from './applications.tsx'
import { Tokens } from './tokens.tsx'

const w = wordsOf('settings')

/** `#/settings/tokens?user_id=2500000101` */
export default function Settings({ path: [open = ''], query }: Address) {
  const sections = [
    { name: '', title: w.browser, content: <BrowserSettings /> },
    { name: 'applications', title: w.applications, content: <Applications /> },
    { name: 'tokens', title: w.tokens, content: <Tokens query={query} /> },
    { name: 'server', title: w.server, content: <Server /> },
  ]
  const section = sections.find(({ name }) => name === open) ?? sections[0]!
  return (
    <Page>
      <nav class="tabs" aria-label={titleOf('settings')}>
        {sections.map(({ name, title }) => (
          <a key={name} href={`#/settings/${name}`} aria-current={name === section.name ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <section class="stack" aria-label={section.title} key={section.name}>
        {section.content}
      </section>
    </Page>
  )
}

/** The flags with which the server runs. */
const Server = () => <Show loaded={useCall('GET /server', {})}>{(server) => <Info {...server} />}</Show>

const Info = ({ version, node, sqlite, started_at, mode, data, flags, limits }: AnswerOf<'GET /server'>) => (
  <>
    <div class="card">
      <FactList
        of={[
          ['mercadito', version],
          ['Node', node],
          ['SQLite', sqlite],
          [w.started, distanceOf(Date.parse(started_at), Date.now())],
          [w.worlds, mode === 'temporary' ? w.temporary : (data ?? w.shared)],
        ]}
      />
    </div>
    <h2>{w.flags}</h2>
    <ul class="rows" aria-label={w.flags}>
      {flags.map(({ name, value, source }) => (
        <li key={name}>
          <code>{visible(name)}</code>
          {foreign(textOf(value), 'flag-value')}
          <Badge tone={source === 'default' ? undefined : 'info'}>{w[source]}</Badge>
        </li>
      ))}
    </ul>
    <h2>{w.limits}</h2>
    <div class="card">
      <FactList of={Object.entries(limits).map(([name, value]) => [name, textOf(value)] as const)} />
    </div>
  </>
)

const textOf = (value: string | number | boolean | null): string =>
  value === null ? '–' : typeof value === 'number' ? number(value) : String(value)

/** In its own language each. */
const NAMES: [Language, string][] = [
  ['es', 'Español'],
  ['pt', 'Português'],
  ['en', 'English'],
]

function BrowserSettings() {
  const themes = [['auto', w.themeAuto] as const, ['light', w.themeLight] as const, ['dark', w.themeDark] as const]
  const programs = SNIPPETS.map(({ name, title }) => [name, title] as const)
  return (
    <div class="card stack">
      <p class="muted">{w.browserWhy}</p>
      <Setting title={w.language} setting={language} options={NAMES} onValue={changeLanguage} />
      <Setting title={w.theme} setting={theme} options={themes} />
      <Setting title={w.letterKeys} hint={w.letterKeysWhy} setting={letterKeys} options={titled(['on', 'off'], w)} />
      <Setting title={w.copyAs} setting={snippetLanguage} options={programs} />
    </div>
  )
}

interface SettingProps<T extends string> extends Pick<SelectProps<T, ComponentChildren>, 'options'> {
  title: string
  hint?: string
  setting: Signal<T>
  /** Default: sets it. */
  onValue?: (value: T) => unknown
}

function Setting<T extends string>({ title, hint, setting, options, onValue }: SettingProps<T>) {
  const set = (value: T) => {
    setting.value = value
  }
  return (
    <div class="setting">
      <div>
        <strong>{title}</strong>
        {hint && <p class="muted">{hint}</p>}
      </div>
      <div>
        <Choices label={title} value={setting.value} options={options} onValue={onValue ?? set} />
      </div>
    </div>
  )
}
