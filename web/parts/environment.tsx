import { useState } from 'preact/hooks'
import { words as w } from '../words/index.ts'
import { baseUrl } from '../world/client.ts'
import { isViewer } from '../world/role.ts'
import { Button } from './button.tsx'
import { CopyButton } from './code.tsx'

/** What programs of the docs read: the base address and a token. The token is hidden: screens are shared. */
export function Environment({ token, children }: { token: string; children?: preact.ComponentChildren }) {
  const [isShown, setShown] = useState(false)
  const textWith = (shown: string) => `export MERCADITO_URL=${baseUrl}\nexport MERCADITO_TOKEN=${shown}`
  return (
    <div class="row environment">
      {children}
      <pre class="code">{textWith(isShown ? token : `${token.slice(0, 8)}…`)}</pre>
      <div class="row">
        <CopyButton text={textWith(token)}>{w.copy}</CopyButton>
        {isViewer.value || (
          <Button class="small plain" title={isShown ? w.hideToken : w.showToken} run={() => setShown(!isShown)} />
        )}
      </div>
    </div>
  )
}
