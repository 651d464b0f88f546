import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { words } from '../words/index.ts'
import { openDetail } from '../world/navigation.ts'
import { Icon } from './icons.tsx'
import { useKeys } from './keys.ts'

interface SplitProps {
  /** Of the screen; the list may show it too, but is hidden where there is little room. */
  heading: string
  list: ComponentChildren
  /** Undefined if nothing is open. */
  detail: ComponentChildren | undefined
  /** Names what is open; another one moves the focus there. */
  title: string
}

/** A list with the detail of a row beside it; where there is little room the detail covers the list. */
export const Split = ({ heading, list, detail, title }: SplitProps) => (
  <div class="split" data-detail={detail !== undefined}>
    <h1 class="hidden">{heading}</h1>
    <div class="split-list">{list}</div>
    {detail !== undefined && <Detail title={title}>{detail}</Detail>}
  </div>
)

function Detail({ title, children }: { title: string; children: ComponentChildren }) {
  const w = words()
  const close = () => openDetail()
  const section = useRef<HTMLElement>(null)
  useKeys([{ keys: 'Escape', title: w.close, run: close }])
  useEffect(() => {
    section.current!.scrollTop = 0
  }, [title])
  return (
    <section class="split-detail" ref={section} aria-label={title}>
      <button type="button" class="split-close plain" onClick={close} aria-label={w.close}>
        <Icon name="close" />
      </button>
      {children}
    </section>
  )
}
