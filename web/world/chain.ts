import { type AfterDelivery, callKey, type Entry, LANES } from './entries.ts'

/** Entries of a chain; a program that answers every webhook would make it endless. */
const MAX_CHAIN = 200
/** Ms of real time in which effects join the row of their cause. */
const ROW_MS = 5000

/** What caused each entry, by key. A link is `inferred` if the server has guessed it. */
interface Links {
  causeOf: Map<string, { key: string; inferred: boolean }>
  effectsOf: Map<string, string[]>
}

export function linksOf(entries: Entry[]): Links {
  const links: Links = { causeOf: new Map(), effectsOf: new Map() }
  const byKey = new Map(entries.map((entry) => [entry.key, entry.event]))
  const add = (effect: string, cause: string | undefined, inferred = false) => {
    if (cause === undefined || links.causeOf.has(effect) || !byKey.has(effect) || !byKey.has(cause)) return
    links.causeOf.set(effect, { key: cause, inferred })
    const effects = links.effectsOf.get(cause)
    if (effects) effects.push(effect)
    else links.effectsOf.set(cause, [effect])
  }
  // The latest first: an undo gives the ids of its changes to later ones.
  for (const { key, event } of entries.toReversed()) {
    if (event.type === 'request' || event.type === 'control') for (const fact of event.changes) add(`f${fact}`, key)
    else if (event.type === 'fact') add(key, callKey(event.cause))
    else if ((event.type === 'attempt' || event.type === 'delivery') && event.fact_id != null)
      add(key, `f${event.fact_id}`)
  }
  for (const { key, event } of entries) {
    const { after_delivery: after } = event as AfterDelivery
    if (!after) continue
    const cause = [`a${after.id}.${after.n}`, `d${after.id}`].find((one) => byKey.has(one))
    if (cause !== undefined && !isRepeated(links, byKey, cause, event)) add(key, cause, after.inferred)
  }
  return links
}

/** Causes that are compared with a read. */
const MAX_STEPS = 32

/** Whether a read was made before on the way to its cause: a chain ends where its program polls. */
function isRepeated(links: Links, byKey: Map<string, Entry['event']>, cause: string, read: Entry['event']): boolean {
  if (read.type !== 'request' || read.method !== 'GET') return false
  const textOf = ({ method, user_id, path }: typeof read) => `${method} ${user_id} ${pathOf(path)}`
  const isSame = (key: string) => {
    const other = byKey.get(key)!
    return other.type === 'request' && textOf(other) === textOf(read)
  }
  let one: string | undefined = cause
  for (let steps = 0; one !== undefined && steps < MAX_STEPS; steps++) {
    if (links.effectsOf.get(one)?.some(isSame)) return true
    one = links.causeOf.get(one)?.key
  }
  return false
}

/** Without the query, which pages or avoids caches. */
const pathOf = (path: string): string => path.split('?')[0]!

/** Keys of all that belongs to an entry: in the order of the entries, but each after its cause. */
export function chainOf(entries: Entry[], links: Links, key: string): string[] {
  let root = key
  const seen = new Set([root])
  for (let cause = links.causeOf.get(root); cause && !seen.has(cause.key); cause = links.causeOf.get(root)) {
    root = cause.key
    seen.add(root)
  }
  const chain = new Set([root])
  for (const one of chain)
    for (const effect of links.effectsOf.get(one) ?? []) if (chain.size < MAX_CHAIN) chain.add(effect)
  const ordered: string[] = []
  const visit = (one: string | undefined): void => {
    // A key is removed when it is visited first: guessed causes may form a circle.
    if (one === undefined || !chain.delete(one)) return
    visit(links.causeOf.get(one)?.key)
    ordered.push(one)
  }
  for (const entry of entries) visit(entry.key)
  return ordered
}

/** One line of the timeline: at most one entry of each lane. */
export interface Row {
  key: string
  at: number
  realAt: number
  cells: (Entry | undefined)[]
}

/** Lays entries out so that effects are to the right of their cause. */
export function rowsOf(entries: Entry[], links: Links): Row[] {
  const rows: Row[] = []
  const rowOf = new Map<string, Row>()
  for (const entry of entries) {
    const { key, realAt } = entry
    const column = LANES.indexOf(entry.lane)
    // The stream reports a change before the call that made it has ended.
    const relatives = [links.causeOf.get(key)?.key, ...(links.effectsOf.get(key) ?? [])]
    const isFree = (row: Row) =>
      row.cells[column] === undefined &&
      Math.abs(row.realAt - realAt) < ROW_MS &&
      row.cells.every(
        (cell, n) => cell === undefined || isBefore(links, n < column ? cell.key : key, n < column ? key : cell.key),
      )
    let row = relatives.flatMap((one) => (one === undefined ? [] : (rowOf.get(one) ?? []))).find(isFree)
    if (!row) {
      row = { key, at: entry.at, realAt, cells: LANES.map(() => undefined) }
      rows.push(row)
    }
    row.cells[column] = entry
    rowOf.set(key, row)
  }
  return rows
}

/** Whether an entry is a cause, near or far, of another. */
function isBefore({ causeOf }: Links, cause: string, effect: string): boolean {
  for (let one = causeOf.get(effect), steps = 0; one && steps < 4; one = causeOf.get(one.key), steps++)
    if (one.key === cause) return true
  return false
}
