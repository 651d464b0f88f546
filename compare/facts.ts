import type { Members } from './calls.ts'

/** Lists of a world file, and those that orders have. */
export type Kind =
  | 'users'
  | 'items'
  | 'questions'
  | 'loans'
  | 'flex_subscriptions'
  | 'shipments'
  | 'orders'
  | 'payments'
  | 'feedback'
  | 'notes'
  | 'messages'
  | 'claims'
  /** By their packs. */
  | 'conversations'
  /** By the ids of both, such as `1 2`. */
  | 'blocked_buyers'
  | 'order_blocked_buyers'

interface Sighting {
  /** The number of the call that showed it. */
  n: number
  value: unknown
}

/** Members of a thing before and after a call that changes it. */
interface Change {
  before?: Members
  after?: Members
}

/** What the answers of a recording show, and when: things change between calls. */
export class Facts {
  readonly #things = new Map<Kind, Map<string, Map<string, Sighting[]>>>()
  readonly #changes = new Set<number>()

  /** Call it in the order of the calls. Members that are undefined are not known; the thing exists unless `exists` is false. */
  set(kind: Kind, id: string | number, members: Members, n: number): void {
    const things = this.#things.get(kind) ?? new Map<string, Map<string, Sighting[]>>()
    this.#things.set(kind, things)
    const thing = things.get(String(id)) ?? new Map<string, Sighting[]>()
    things.set(String(id), thing)
    for (const [name, value] of Object.entries({ exists: true, ...members })) {
      if (value === undefined) continue
      const sightings = thing.get(name) ?? []
      thing.set(name, sightings)
      const last = sightings.at(-1)
      if (last && JSON.stringify(last.value) === JSON.stringify(value)) continue
      if (last) this.#changes.add(n)
      sightings.push({ n, value })
    }
  }

  /** A call has changed a thing: what it was before is set where no earlier answer has shown it. */
  change(kind: Kind, id: string | number, { before = {}, after = {} }: Change, n: number): void {
    const unknown = Object.entries(before).filter(([name]) => !this.has(kind, id, name))
    if (unknown.length > 0) this.set(kind, id, Object.fromEntries(unknown), n - 0.5)
    this.set(kind, id, after, n)
  }

  has(kind: Kind, id: string | number, member: string): boolean {
    return this.#things.get(kind)?.get(String(id))?.has(member) ?? false
  }

  /** All things of a kind that exist, as they were at a call: as they were seen last, or else as they are seen first. */
  at(kind: Kind, n: number): Map<string, Members> {
    const found = new Map<string, Members>()
    for (const [id, members] of this.#things.get(kind) ?? []) {
      const thing: Members = {}
      for (const [name, sightings] of members)
        thing[name] = (sightings.findLast((sighting) => sighting.n <= n) ?? sightings[0]!).value
      if (thing.exists !== false) found.set(id, thing)
    }
    return found
  }

  /** The first call from which on everything is as it is at a call. */
  stateOf(n: number): number {
    return Math.max(0, ...[...this.#changes].filter((change) => change <= n))
  }
}
