import type { ComponentChildren } from 'preact'
import { words as w } from '../words/index.ts'

/** Characters that turn the direction of text, and control characters, which could show something else than was sent. */
const DECEIVING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Text of others, with its invisible characters as codes. */
export const visible = (text: string): string =>
  text.replace(DECEIVING, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The same in an element of its own, so that its direction does not change that of the text around it. */
export const foreign = (text: string, className?: string) => <bdi class={className}>{visible(text)}</bdi>

/** Text of the server with `code` in it. */
export const Marked = ({ text }: { text: string }) => (
  <>
    {visible(text)
      .split('`')
      .map((part, n) => (n % 2 === 1 ? <code key={n}>{part}</code> : part))}
  </>
)

type Pair = readonly [name: string, value: ComponentChildren]

/** Names with values: texts of others, or elements. Pairs without a value are left out. */
export function FactList({ of: pairs }: { of: Pair[] }) {
  const known = pairs.filter(([, value]) => value !== null && value !== undefined)
  if (known.length === 0) return null
  return (
    <dl class="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{visible(name)}</dt>
          <dd>{typeof value === 'string' ? foreign(value) : value}</dd>
        </div>
      ))}
    </dl>
  )
}

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'plain'

export const Badge = ({ tone, children }: { tone?: Tone | undefined; children: ComponentChildren }) => (
  <span class="badge" data-tone={tone}>
    {children}
  </span>
)

/** A HTTP status; colour and number say the same. null: the connection was closed without an answer. */
export const Status = ({ code, isLong = false }: { code: number | null; isLong?: boolean }) => (
  <span class="badge mono" data-tone={toneOf(code)}>
    {code ?? (isLong ? w.noResponse : '–')}
  </span>
)

const toneOf = (code: number | null): Tone =>
  code === null || code >= 500 ? 'bad' : code >= 400 ? 'warn' : code >= 300 ? 'info' : 'good'

/** Such a call can be explained. */
export const isRefused = (code: number | null): boolean => code !== null && code >= 400

export const Method = ({ name }: { name: string }) => (
  <span class="method" data-method={name === 'GET' || name === 'HEAD' ? 'read' : 'write'}>
    {name}
  </span>
)
