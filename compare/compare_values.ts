import { isObject, type Members, membersOf } from './calls.ts'

/** What differs. */
type DifferenceKind =
  | 'status'
  | 'header'
  /** The recorded answer does not have the member. */
  | 'missing'
  /** Only the recorded answer has the member. */
  | 'new'
  | 'type'
  /** Order of members, or of elements. */
  | 'order'
  /** The same value, written otherwise, such as a date with another offset. */
  | 'format'
  | 'text'
  | 'value'
  /** Elements of a list. */
  | 'elements'

/** Places are those of the body, elements without their position: `questions[].date_created`. */
export interface Difference {
  kind: DifferenceKind
  place: string
  /** JSON; null: it is not there. */
  recorded: string | null
  answered: string | null
}

interface Comparison {
  /** Only the form of a value is compared. */
  isInvented(place: string): boolean
  /** Elements of ours that the recorded list does not have say something. */
  isWhole(recorded: readonly unknown[]): boolean
  /** Recorded elements that ours does not have say something. */
  hasAll(answered: readonly unknown[]): boolean
  /** The order of the elements says something. */
  isOrdered: boolean
  isError: boolean
}

const MAX_SHOWN = 120
const MAX_DEPTH = 50
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/** Compares two JSON values; each difference once, however many elements have it. */
export function compareValues(recorded: unknown, answered: unknown, comparison: Comparison): Difference[] {
  const comparer = new Comparer(comparison)
  comparer.compare({ place: '', depth: 0, isForm: false }, recorded, answered)
  return [...comparer.found.values()]
}

interface At {
  place: string
  depth: number
  /** Only the form of a value is compared. */
  isForm: boolean
}

class Comparer {
  readonly found = new Map<string, Difference>()
  readonly #comparison: Comparison

  constructor(comparison: Comparison) {
    this.#comparison = comparison
  }

  compare({ place, depth, isForm: onlyForm }: At, recorded: unknown, answered: unknown): void {
    if (depth > MAX_DEPTH) return
    const isForm = onlyForm || this.#comparison.isInvented(place)
    const at = { place, depth, isForm }
    const [one, other] = [typeOf(recorded), typeOf(answered)]
    if (one !== other) {
      const isNull = one === 'null' || other === 'null'
      if (!isNull) this.#add('type', place, recorded, answered)
      else if (!isForm) this.#add('value', place, recorded, answered)
    } else if (one === 'object') this.#objects(at, recorded as Members, answered as Members)
    else if (one === 'array') this.#arrays(at, recorded as unknown[], answered as unknown[])
    else if (one === 'string') this.#texts(place, recorded as string, answered as string, isForm)
    else if (!isForm && recorded !== answered) this.#add('value', place, recorded, answered)
  }

  #objects({ place, depth, isForm }: At, recorded: Members, answered: Members): void {
    const placeOf = (name: string) => (place === '' ? name : `${place}.${name}`)
    for (const [name, value] of Object.entries(answered))
      if (Object.hasOwn(recorded, name))
        this.compare({ place: placeOf(name), depth: depth + 1, isForm }, recorded[name], value)
      else this.#add('missing', placeOf(name), undefined, value)
    for (const [name, value] of Object.entries(recorded))
      if (!Object.hasOwn(answered, name)) this.#add('new', placeOf(name), value, undefined)
    const common = (names: Members, others: Members) => Object.keys(names).filter((name) => Object.hasOwn(others, name))
    const [one, other] = [common(recorded, answered), common(answered, recorded)]
    if (one.join() !== other.join()) this.#add('order', placeOf('{}'), one, other)
  }

  #arrays({ place, depth, isForm }: At, recorded: unknown[], answered: unknown[]): void {
    const inside = `${place}[]`
    const elements = { place: inside, depth: depth + 1, isForm }
    const keys = [recorded, answered].map((all) => all.map(keyOf)) as [Key[], Key[]]
    const hasKeys = keys.every((all) => !all.includes(undefined) && new Set(all).size === all.length)
    const positions = hasKeys ? new Map(keys[1].map((key, n) => [key, n])) : undefined
    const matched: [unknown, unknown][] = []
    const alone: unknown[] = []
    for (const [n, element] of recorded.entries()) {
      const at = positions ? positions.get(keys[0][n]) : n < answered.length ? n : undefined
      if (at === undefined) alone.push(element)
      else matched.push([element, answered[at]])
    }
    for (const [one, other] of matched) this.compare(elements, one, other)
    // An element that only one of them has can be compared by its form.
    for (const element of alone)
      if (answered.length > 0) this.compare({ ...elements, isForm: true }, element, answered[0])
    if (isForm) return
    if (this.#comparison.hasAll(answered) && alone.length > 0) this.#add('elements', inside, alone[0], undefined)
    const others = positions
      ? answered.filter((_, n) => !keys[0].includes(keys[1][n]))
      : answered.slice(recorded.length)
    if (others.length > 0 && this.#comparison.isWhole(recorded)) this.#add('elements', inside, undefined, others[0])
    const order = matched.map(([, other]) => answered.indexOf(other))
    if (this.#comparison.isOrdered && order.some((n, i) => i > 0 && n < order[i - 1]!))
      this.#add('order', inside, keys[0], keys[1])
  }

  #texts(place: string, recorded: string, answered: string, isForm: boolean): void {
    if (recorded === answered) return
    const [one, other] = [DATE.test(recorded), DATE.test(answered)]
    const isOtherFormat =
      one && other
        ? formOf(recorded) !== formOf(answered) && (isForm || Date.parse(recorded) === Date.parse(answered))
        : one !== other && (isForm || isSameDay(recorded, answered))
    if (isOtherFormat) this.#add('format', place, recorded, answered)
    else if (!isForm) this.#add(this.#comparison.isError ? 'text' : 'value', place, recorded, answered)
  }

  #add(kind: DifferenceKind, place: string, recorded: unknown, answered: unknown): void {
    const key = `${kind} ${place}`
    if (!this.found.has(key)) this.found.set(key, { kind, place, recorded: shown(recorded), answered: shown(answered) })
  }
}

type Key = string | undefined

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

/** What says that two elements are the same thing. */
function keyOf(element: unknown): Key {
  if (!isObject(element)) return String(element)
  const { id, service_id, item_id, date, body } = element
  const instant = typeof date === 'string' && DATE.test(date) ? Date.parse(date) : undefined
  const key = service_id ?? id ?? instant ?? item_id ?? membersOf(body).id
  return typeof key === 'string' || typeof key === 'number' ? String(key) : undefined
}

/** `2026-03-07T15:00:00.000-04:00` → `0000-00-00T00:00:00.000-04:00`. */
const formOf = (date: string): string =>
  date.replace(/^[\d-]+T[\d:]+(\.\d+)?/, (_, fraction: string = '') => `T${fraction.replace(/\d/g, '0')}`)
const isSameDay = (one: string, other: string): boolean =>
  /^\d{4}-\d\d-\d\d/.test(one) && one.slice(0, 10) === other.slice(0, 10)

function shown(value: unknown): string | null {
  if (value === undefined) return null
  const text = JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
