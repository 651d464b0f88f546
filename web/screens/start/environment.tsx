import { useState } from 'preact/hooks'
import { CopyButton } from '../../parts/code.tsx'
import { words as common } from '../../words/index.ts'
import { baseUrl } from '../../world/client.ts'
import { isViewer } from '../../world/role.ts'
import { words } from '../words.ts'
import type { Progress } from './progress.ts'

/** The variables that the programs of the guide read. The token is hidden: screens are shared. */
export function Environment({ progress: { seller, done } }: { progress: Progress }) {
  const [isShown, setShown] = useState(false)
  const w = words().start
  const textWith = (token: string) => `export MERCADITO_URL=${baseUrl}\nexport TOKEN=${token}`
  const token = seller?.token ?? ''
  return (
    <details class="card" open={!done.call}>
      <summary>
        <h2>{w.environment}</h2>
      </summary>
      <div class="stack">
        <p class="muted">{w.environmentWhy}</p>
        <pre class="code">{textWith(isShown ? token : `${token.slice(0, 8)}…`)}</pre>
        <div class="row">
          <CopyButton text={textWith(token)}>{common().copy}</CopyButton>
          {isViewer.value || (
            <button type="button" class="small plain" onClick={() => setShown(!isShown)}>
              {isShown ? w.hide : w.show}
            </button>
          )}
        </div>
      </div>
    </details>
  )
}
