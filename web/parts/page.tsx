import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { words as w } from '../words/index.ts'
import { canChange, isViewer } from '../world/role.ts'
import { Button, type ButtonProps } from './button.tsx'
import { useKeys } from './keys.ts'
import { act } from './toasts.tsx'
import { foreign } from './values.tsx'

/** Of the screen that is shown, as in the menu. */
export const ScreenTitle = createContext('')

interface PageProps {
  /** Beside the title. */
  head?: ComponentChildren
  children: ComponentChildren
}

/** A screen without a list. */
export const Page = ({ head, children }: PageProps) => (
  <div class="page stack">
    <div class="page-head">
      <h1>{useContext(ScreenTitle)}</h1>
      <ReadOnly />
      {head}
    </div>
    {children}
  </div>
)

interface DetailHeadProps {
  title: string
  /** Beside the badges. */
  id?: string | number
  badges: ComponentChildren
  /** What can be done. */
  children?: ComponentChildren
}

/** The beginning of what is open beside a list. */
export const DetailHead = ({ title, id, badges, children }: DetailHeadProps) => (
  <header class="detail-head">
    <h2>{foreign(title)}</h2>
    <p class="row">
      {id !== undefined && <span class="mono muted">{id}</span>} {badges}
    </p>
    {children && <div class="actions">{children}</div>}
  </header>
)

/** A cell of a table with tall rows. */
export const TwoLines = ({ first, children }: { first: ComponentChildren; children: ComponentChildren }) => (
  <span class="two-lines">
    {first}
    <span class="second-line">{children}</span>
  </span>
)

export const Section = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="stack">
    <h3>{title}</h3>
    {children}
  </section>
)

export interface Action extends Pick<ButtonProps, 'title' | 'keys' | 'class' | 'run'> {
  /** The message when it is done. Default: that of the change. */
  said?: string
}

/** Buttons that change something, with their keys: viewers do not have them. Their errors are shown as messages. */
export function ActionButtons({ of: actions, class: size }: { of: Action[]; class?: string }) {
  const shown = (canChange.value ? actions : []).map(({ run, said, ...button }) => ({
    ...button,
    run: () => act(run, said),
  }))
  useKeys(shown.flatMap(({ keys, title, run }) => (keys ? { keys, title, run } : [])))
  return (
    <>
      {shown.map((button) => (
        <Button key={button.title} class={size} {...button} />
      ))}
    </>
  )
}

/** Says why there are no buttons. */
export const ReadOnly = () =>
  isViewer.value ? (
    <span class="badge" title={w.readOnlyWhy}>
      {w.readOnly}
    </span>
  ) : null

/** Buttons and fields that change something; viewers read why they do not have them. */
export const Changing = ({ children }: { children: ComponentChildren }): ComponentChildren =>
  canChange.value ? children : isViewer.value ? <p class="muted">{w.readOnlyWhy}</p> : null
