import { useState } from 'preact/hooks'
import { CopyButton } from '../../parts/code.tsx'
import { visible } from '../../parts/text.ts'
import { isViewer } from '../../world/role.ts'
import { words } from '../words.ts'

/** A token or a secret: its end only, until it is asked for. Viewers get it masked by the server. */
export function Secret({ value, name }: { value: string; name: string }) {
  const w = words().settings
  const [isShown, setShown] = useState(false)
  if (isViewer.value) return <span class="mono muted">{visible(value)}</span>
  return (
    <span class="secret">
      <code>{isShown ? visible(value) : `••••${visible(value.slice(-4))}`}</code>{' '}
      <button
        type="button"
        class="small plain"
        onClick={() => setShown(!isShown)}
        aria-label={`${isShown ? w.hide : w.show}: ${name}`}
      >
        {isShown ? w.hide : w.show}
      </button>
      <CopyButton text={value} />
    </span>
  )
}
