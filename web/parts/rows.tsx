import type { ComponentChildren } from 'preact'
import { words } from '../words/index.ts'
import { canChange, isViewer } from '../world/role.ts'

/** Elements of a list that is not paged further. */
const MAX_LIMIT = 1000

interface RowsProps<Row> {
  label: string
  page: { paging: { total: number; limit: number }; results: Row[] }
  keyOf(row: Row): string | number
  /** Loads more rows: as many as the argument. */
  onLimit(limit: number): void
  children(row: Row): ComponentChildren
}

/** A short list whose rows have actions. */
export function Rows<Row>({ label, page: { paging, results }, keyOf, onLimit, children }: RowsProps<Row>) {
  const { total, limit } = paging
  const w = words()
  return (
    <>
      <ul class="rows" aria-label={label}>
        {results.map((row) => (
          <li key={keyOf(row)}>{children(row)}</li>
        ))}
      </ul>
      {results.length < total && (
        <p class="row">
          <span class="muted">{w.ofTotal(results.length, total)}</span>
          {limit < MAX_LIMIT && (
            <button type="button" class="small" onClick={() => onLimit(limit < 100 ? 100 : MAX_LIMIT)}>
              {w.more}
            </button>
          )}
        </p>
      )}
    </>
  )
}

/** Says why there are no buttons. */
export const ReadOnly = () =>
  isViewer.value ? (
    <span class="badge" title={words().readOnlyWhy}>
      {words().readOnly}
    </span>
  ) : null

/** Buttons and fields that change something; viewers read why they do not have them. */
export const Changing = ({ children }: { children: ComponentChildren }): ComponentChildren =>
  canChange.value ? children : isViewer.value ? <p class="muted">{words().readOnlyWhy}</p> : null
