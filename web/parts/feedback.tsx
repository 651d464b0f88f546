import type { ComponentChildren } from 'preact'
import { controlCurl } from '../snippets/call.ts'
import { words as w } from '../words/index.ts'
import { baseUrl, type CallError, hasToken } from '../world/client.ts'
import type { Loaded } from '../world/load.ts'
import { address } from '../world/navigation.ts'
import { Button } from './button.tsx'
import { Code, CopyButton } from './code.tsx'
import { Icon, type IconName } from './icons.tsx'
import { foreign, Marked } from './values.tsx'

/** The server's words, the call as curl, and a button that makes it again. */
export const ErrorPanel = ({ error, again }: { error: CallError; again?: (() => void) | undefined }) => (
  <div class="error-panel" role="alert">
    <p class="error-title">
      <Icon name="warning" /> {error.status === 0 ? w.noAnswer : `${w.failed} · ${error.status}`}
    </p>
    <p>
      <bdi>
        <Marked text={error.message} />
      </bdi>
    </p>
    {error.call && (
      <details>
        <summary>
          {w.theCall}: {error.call}
        </summary>
        <Code text={controlCurl(error, baseUrl, hasToken())} label={w.theCall} />
      </details>
    )}
    {again && <Button title={w.again} run={again} />}
  </div>
)

/** Shows data that load: a skeleton at first, old data while new ones load, an error above them. */
export function Show<T>({ loaded, children }: { loaded: Loaded<T>; children(data: T): ComponentChildren }) {
  const { data, error, again } = loaded
  if (data === undefined) return error ? <ErrorPanel error={error} again={again} /> : <Skeleton />
  return (
    <>
      {error && <ErrorPanel error={error} again={again} />}
      {children(data)}
    </>
  )
}

interface FoundProps<T> {
  loaded: Loaded<T | null>
  /** What is shown if there is no such thing, and why. */
  gone: string
  why?: string
  children(data: T): ComponentChildren
}

/** What an address of the screen names, or that it does not exist. */
export const Found = <T,>({ loaded, gone, why, children }: FoundProps<T>) => (
  <Show loaded={loaded}>
    {(data) =>
      data === null ? (
        <Empty icon={address.value.screen as IconName} title={gone}>
          {why && <p>{why}</p>}
        </Empty>
      ) : (
        children(data)
      )
    }
  </Show>
)

/** Appears after 150 ms (app.css), so that fast answers do not flicker. */
export const Skeleton = ({ rows = 6 }: { rows?: number }) => (
  <div class="skeleton" role="status" aria-label={w.loading}>
    {Array.from({ length: rows }, (_, n) => (
      <i key={n} />
    ))}
  </div>
)

interface EmptyProps {
  icon: IconName
  title: string
  /** There is nothing else: the title is the heading of the page. */
  isPage?: boolean
  children?: ComponentChildren
  /** What would fill the list, as a command. */
  command?: string
}

/** What is missing, what would fill it, and how. */
export const Empty = ({ icon, title, isPage = false, children, command }: EmptyProps) => (
  <div class="empty">
    <Icon name={icon} />
    {isPage ? <h1 class="empty-title">{title}</h1> : <p class="empty-title">{foreign(title)}</p>}
    {children}
    {command && (
      <p class="empty-command">
        <code>{command}</code> <CopyButton text={command} />
      </p>
    )}
  </div>
)

/** Without a listing buyers can do nothing: the call that creates one. */
export function NoListings({ seller }: { seller: number | undefined }) {
  const input = { body: { seller_id: seller, title: 'Mouse' } }
  return (
    <>
      <p class="muted">{w.noListings}</p>
      <Code text={controlCurl({ call: 'POST /items', input }, baseUrl, hasToken())} label="curl" />
    </>
  )
}
