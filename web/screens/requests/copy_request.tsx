import type { RequestMade } from '../../../lib/types.ts'
import { copy } from '../../parts/code.tsx'
import { CopyAs } from '../../parts/copy_as.tsx'
import { useKeys } from '../../parts/keys.ts'
import { notify } from '../../parts/toasts.tsx'
import { callOf, testOf } from '../../snippets/call.ts'
import { curl } from '../../snippets/curl.ts'
import { SNIPPETS } from '../../snippets/index.ts'
import { words } from '../../words/index.ts'
import { baseUrl } from '../../world/client.ts'
import { snippetLanguage } from '../../world/settings.ts'

/** The call as a command, a program or a test. `c` and `t` copy without opening it. */
export function CopyRequest({ request }: { request: RequestMade }) {
  const w = words()
  const call = callOf(request, baseUrl)
  const tested = testOf(request, baseUrl)
  const title = `${tested.title} ${tested.status}`
  const copyAndSay = (text: string) => void copy(text).then(() => notify(w.copied))
  const copyTest = () => {
    const { test } =
      SNIPPETS.find(({ name, test }) => test && name === snippetLanguage.value) ?? SNIPPETS.find(({ test }) => test)!
    copyAndSay(test!(title, [tested]))
  }
  useKeys([
    { keys: 'c', title: w.copyCurl, run: () => copyAndSay(curl(call)) },
    { keys: 't', title: w.copyTest, run: copyTest },
  ])
  return (
    <details>
      <summary>{w.copyAs}</summary>
      <CopyAs
        hasTests
        textOf={(language, kind) => (kind === 'call' ? language.call(call) : language.test?.(title, [tested]))}
      />
    </details>
  )
}
