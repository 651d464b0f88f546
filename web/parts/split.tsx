import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useRef } from 'preact/hooks'
import { words as w } from '../words/index.ts'
import { go, openDetail } from '../world/navigation.ts'
import { IconButton } from './button.tsx'
import { Icon } from './icons.tsx'
import { useKeys } from './keys.ts'
import { ScreenTitle } from './page.tsx'

interface SplitProps {
  list: ComponentChildren
  /** Undefined or false if nothing is open. */
  detail: ComponentChildren
  /** Names what is open; another one moves the focus there. */
  title: string
}

/** Addresses of the rows before and after the open one; a table says them to the detail beside it. */
export const neighbours = signal<{ previous?: string | undefined; next?: string | undefined }>({})

/** A list with the detail of a row beside it, from 1200 px on; else the detail covers the list. */
export const Split = ({ list, detail, title }: SplitProps) => (
  <div class="split" data-detail={Boolean(detail)}>
    {/* The list shows it too, but is hidden where there is little room. */}
    <h1 class="hidden">{useContext(ScreenTitle)}</h1>
    <div class="split-list">{list}</div>
    {detail && <Detail title={title}>{detail}</Detail>}
  </div>
)

function Detail({ title, children }: { title: string; children: ComponentChildren }) {
  const close = () => openDetail()
  const section = useRef<HTMLElement>(null)
  const { previous, next } = neighbours.value
  const steps = [
    { keys: 'p', title: w.previousOne, target: previous, icon: 'previous' },
    { keys: 'n', title: w.nextOne, target: next, icon: 'next' },
  ] as const
  useKeys([
    { keys: 'Escape', title: w.close, run: close },
    ...steps.flatMap(({ target, ...key }) => (target ? [{ ...key, run: () => go(target) }] : [])),
  ])
  useEffect(() => {
    section.current!.scrollTop = 0
  }, [title])
  return (
    <section class="split-detail" ref={section} aria-label={title}>
      <nav class="split-steps" aria-label={w.rows}>
        {steps.map(({ keys, title, target, icon }) => (
          <a
            key={keys}
            class="button plain"
            href={target}
            aria-disabled={!target}
            aria-label={title}
            title={`${title} (${keys})`}
          >
            <Icon name={icon} />
          </a>
        ))}
        <IconButton class="split-close plain" icon="close" title={w.close} run={close} />
      </nav>
      {children}
    </section>
  )
}
