import { useState } from 'preact/hooks'
import { controlCurl } from '../snippets/call.ts'
import { SNIPPETS } from '../snippets/index.ts'
import { words as w } from '../words/index.ts'
import { baseUrl, hasToken } from '../world/client.ts'
import { snippetLanguage } from '../world/settings.ts'
import { Code, CopyButton, copy } from './code.tsx'
import { Choices } from './form.tsx'
import { useKeys } from './keys.ts'
import { notify } from './toasts.tsx'

/** Copies and shows a message: for keys, which have no button that changes its text. */
export const copyAndSay = (text: string): void => void copy(text).then(() => notify(w.copied))

/** Copies a control call as curl; `c` does the same. */
export function CopyCurl({ call }: { call: Parameters<typeof controlCurl>[0] }) {
  const command = controlCurl(call, baseUrl, hasToken())
  useKeys([{ keys: 'c', title: w.copyCurl, run: () => copyAndSay(command) }])
  return <CopyButton text={command}>curl</CopyButton>
}

type Kind = 'call' | 'test'

interface CopyAsProps {
  /** The text in a language; undefined if it does not exist there. */
  textOf(language: (typeof SNIPPETS)[number], kind: Kind): string | undefined
  /** Tests exist. */
  hasTests?: boolean
}

/** A call as a command or a program, in the language that the person has chosen before. */
export function CopyAs({ textOf, hasTests = false }: CopyAsProps) {
  const [kind, setKind] = useState<Kind>('call')
  const languages = SNIPPETS.filter((one) => textOf(one, kind) !== undefined)
  const language = languages.find(({ name }) => name === snippetLanguage.value) ?? languages[0]!
  return (
    <div class="stack copy-as">
      <div class="row">
        <Choices
          label={w.programLanguage}
          value={language.name}
          options={languages.map(({ name, title }) => [name, title] as const)}
          onValue={(name) => {
            snippetLanguage.value = name
          }}
        />
        {hasTests && (
          <Choices<Kind>
            label={w.copyKind}
            value={kind}
            options={[
              ['call', w.asCall],
              ['test', w.asTest],
            ]}
            onValue={setKind}
          />
        )}
      </div>
      <Code text={textOf(language, kind) ?? ''} label={language.title} />
    </div>
  )
}
