import { useState } from 'preact/hooks'
import { words as w } from '../words/index.ts'
import { Icon } from './icons.tsx'
import { visible } from './values.tsx'

/** Text to copy as it is, such as a command. `label` names it for screen readers. */
export const Code = ({ text, label }: { text: string; label?: string }) => (
  <figure class="code-block" aria-label={label}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
    <pre class="code" tabIndex={0}>
      {visible(text)}
    </pre>
    <CopyButton text={text} />
  </figure>
)

export function CopyButton({ text, children }: { text: string; children?: string }) {
  const [isCopied, setCopied] = useState(false)
  const onClick = async () => {
    await copy(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  const label = isCopied ? w.copied : (children ?? w.copy)
  return (
    <button type="button" class={children ? 'small' : 'small plain'} onClick={onClick} aria-live="polite">
      <Icon name={isCopied ? 'done' : 'copy'} />
      {label}
    </button>
  )
}

/** The clipboard needs HTTPS or this machine; elsewhere the old way works. */
export async function copy(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
