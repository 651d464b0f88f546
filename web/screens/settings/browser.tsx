import type { ComponentChildren } from 'preact'
import { Choices } from '../../parts/fields.tsx'
import { SNIPPETS } from '../../snippets/index.ts'
import { words as common } from '../../words/index.ts'
import { changeLanguage, type Language, language } from '../../words/words.ts'
import { letterKeys, snippetLanguage, type Theme, theme } from '../../world/settings.ts'
import { words } from '../words.ts'

/** In its own language each. */
const NAMES: [Language, string][] = [
  ['es', 'Español'],
  ['pt', 'Português'],
  ['en', 'English'],
]

export function BrowserSettings() {
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
