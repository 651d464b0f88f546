import type { Fact } from './facts.ts'

/** So many contacts from one instant to another, ms; the end is exclusive. */
export interface Count {
  from: number
  to: number
  count: number
}

/** Contacts at an instant. */
export interface Contacts {
  at: number
  count: number
}

/** A piece of time that no bound of a count divides. */
interface Piece {
  from: number
  to: number
  count: number
  /** A count has been reached that contains it: nothing may be added. */
  isSettled: boolean
}

/** More are not rebuilt. */
const MAX_CONTACTS = 200_000

/**
 * Contacts with the given counts, placed from the shortest time to the longest; undefined if there are none, such as when
 * the counts were read at different times. `others`: what remains of other counts, which these contacts belong to, too.
 */
function placeContacts(counts: Count[], others: Count[]): Contacts[] | undefined {
  const bounds = [...new Set([...counts, ...others].flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b)
  const pieces = bounds
    .slice(0, -1)
    .map((from, n): Piece => ({ from, to: bounds[n + 1]!, count: 0, isSettled: false }))
    // What is counted most exactly is used first: there is no other place for it.
    .sort((a, b) => spanAt(others, a.from) - spanAt(others, b.from) || a.from - b.from)
  for (const { from, to, count } of counts.toSorted((a, b) => a.to - a.from - (b.to - b.from))) {
    const inside = pieces.filter((piece) => piece.from >= from && piece.to <= to)
    let missing = count - inside.reduce((sum, piece) => sum + piece.count, 0)
    for (const piece of inside.filter(({ isSettled }) => !isSettled)) {
      const room = others
        .filter((other) => piece.from >= other.from && piece.from < other.to)
        .map((other) => other.count - placedIn(pieces, other))
      const added = Math.max(0, Math.min(missing, ...room))
      piece.count += added
      missing -= added
    }
    if (missing !== 0) return undefined
    for (const piece of inside) piece.isSettled = true
  }
  return pieces.filter(({ count }) => count > 0).map(({ from: at, count }) => ({ at, count }))
}

const placedIn = (placed: readonly { from: number; count: number }[], { from, to }: Count): number =>
  placed.reduce((sum, one) => sum + (one.from >= from && one.from < to ? one.count : 0), 0)

/** The shortest time with a count that an instant is in, ms. */
const spanAt = (counts: Count[], at: number): number =>
  Math.min(Number.MAX_SAFE_INTEGER, ...counts.flatMap(({ from, to }) => (at >= from && at < to ? [to - from] : [])))

export interface ContactPlan {
  /** By listing. */
  contacts: Map<string, Contacts[]>
  /** Subjects such as `item MLA1` whose counts contradict each other. */
  unclear: string[]
}

/**
 * Contacts of one kind with the listings of one seller that give the counts of each and those of the seller. `rest` gets
 * those of which only the seller's counts say that they exist.
 */
export function planContacts(
  ofItems: ReadonlyMap<string, Count[]>,
  ofSeller: { subject: string; counts: Count[] },
  rest: string,
): ContactPlan {
  const plan: ContactPlan = { contacts: new Map(), unclear: [] }
  const placed: Contacts[] = []
  const remaining = () =>
    ofSeller.counts.map((one) => ({
      ...one,
      count:
        one.count -
        placedIn(
          placed.map(({ at, count }) => ({ from: at, count })),
          one,
        ),
    }))
  const total = [...ofItems.values(), ofSeller.counts].flat().reduce((sum, { count }) => Math.max(sum, count), 0)
  const isPossible = total <= MAX_CONTACTS
  const add = (subject: string, item: string, found: Contacts[] | undefined) => {
    if (!found) return void plan.unclear.push(subject)
    placed.push(...found)
    plan.contacts.set(item, [...(plan.contacts.get(item) ?? []), ...found])
  }
  for (const [item, counts] of ofItems)
    add(
      `item ${item}`,
      item,
      isPossible ? (placeContacts(counts, remaining()) ?? placeContacts(counts, [])) : undefined,
    )
  const others = remaining()
  const isValid = isPossible && others.every(({ count }) => count >= 0)
  if (others.length > 0) add(ofSeller.subject, rest, isValid ? placeContacts(others, []) : undefined)
  return plan
}

/** Counts by subject and kind. */
export const countsBySubject = (counts: Iterable<Fact>): Map<string, Count[]> =>
  Map.groupBy(counts as Iterable<Count & Fact>, ({ subject, kind }) => `${subject} ${kind}`)
