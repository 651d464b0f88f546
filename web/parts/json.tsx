import { useState } from 'preact/hooks'
import { words as w } from '../words/index.ts'
import { Button } from './button.tsx'
import { foreign, visible } from './values.tsx'

/** Members shown at once, and characters of a text. */
const MAX_MEMBERS = 100
const MAX_TEXT = 2000
/** Levels that are open at first. */
const OPEN_DEPTH = 3

/** A body: as a tree if it is JSON, else as text. */
export function Body({ text }: { text: string | null }) {
  if (text === null || text === '') return <p class="muted">{w.noBody}</p>
  const value = parse(text)
  return value === undefined ? (
    <pre class="code">
      <LongText text={text} />
    </pre>
  ) : (
    <div class="json">
      <Value value={value.json} depth={0} />
    </div>
  )
}

function parse(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) }
  } catch {
    return undefined
  }
}

export function Value({ value, depth }: { value: unknown; depth: number }) {
  if (typeof value === 'string')
    return (
      <span data-tone="good">
        "<LongText text={escapeText(value)} />"
      </span>
    )
  if (value === null) return <span class="muted">null</span>
  if (typeof value !== 'object') return <span data-tone="warn">{String(value)}</span>
  return <Members value={value} depth={depth} />
}

function Members({ value, depth }: { value: object; depth: number }) {
  const [shown, setShown] = useState(MAX_MEMBERS)
  const isArray = Array.isArray(value)
  const entries = Object.entries(value)
  const [start, end] = isArray ? '[]' : '{}'
  if (entries.length === 0) return <span class="muted">{`${start}${end}`}</span>
  return (
    <details open={depth < OPEN_DEPTH}>
      <summary>
        {start}
        <span class="json-more muted">
          {' '}
          {entries.length} {end}
        </span>
      </summary>
      <ul>
        {entries.slice(0, shown).map(([name, member]) => (
          <li key={name}>
            <span data-tone="info">{isArray ? name : `"${visible(escapeText(name))}"`}: </span>
            <Value value={member} depth={depth + 1} />
          </li>
        ))}
      </ul>
      {entries.length > shown && (
        <Button
          class="link"
          title={w.showMore(entries.length - shown)}
          run={() => setShown(shown + 10 * MAX_MEMBERS)}
        />
      )}
      <span class="json-end">{end}</span>
    </details>
  )
}

function LongText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(text.length <= MAX_TEXT)
  if (isWhole) return foreign(text)
  return (
    <>
      {foreign(text.slice(0, MAX_TEXT))}… <Button class="link" title={w.showAll} run={() => setWhole(true)} />
    </>
  )
}

/** As JSON writes it: with escaped line ends and quotes. */
const escapeText = (text: string): string => JSON.stringify(text).slice(1, -1)
