export type FactKind = 'user' | 'item' | 'question' | 'lead' | 'subscription' | 'shipment' | 'block' | 'token' | 'count'
/** Members of one thing. */
// biome-ignore lint/suspicious/noExplicitAny: each kind knows the types of its members
export type Fact = Record<string, any>

interface Sighting {
  /** The number of the call that showed it. */
  n: number
  value: unknown
}

/** What the answers of a recording show, and when: things change between calls. */
export class Facts {
  readonly #things = new Map<FactKind, Map<string, Map<string, Sighting[]>>>()
  readonly #changes = new Set<number>()

  /** Call it in the order of the calls. Members that are undefined are not known. */
  set(kind: FactKind, id: string | number, members: Fact, n: number): void {
    const things = this.#things.get(kind) ?? new Map<string, Map<string, Sighting[]>>()
    this.#things.set(kind, things)
    const thing = things.get(String(id)) ?? new Map<string, Sighting[]>()
    things.set(String(id), thing)
    for (const [name, value] of Object.entries(members)) {
      if (value === undefined) continue
      const sightings = thing.get(name) ?? []
      thing.set(name, sightings)
      const last = sightings.at(-1)
      if (last && JSON.stringify(last.value) === JSON.stringify(value)) continue
      if (last) this.#changes.add(n)
      sightings.push({ n, value })
    }
  }

  has(kind: FactKind, id: string | number, member: string): boolean {
    return this.#things.get(kind)?.get(String(id))?.has(member) ?? false
  }

  /** All things of a kind as they were at a call: as they were seen last, or else as they are seen first. */
  at(kind: FactKind, n: number): Map<string, Fact> {
    const found = new Map<string, Fact>()
    for (const [id, members] of this.#things.get(kind) ?? []) {
      const fact: Fact = {}
      for (const [name, sightings] of members)
        fact[name] = (sightings.findLast((sighting) => sighting.n <= n) ?? sightings[0]!).value
      found.set(id, fact)
    }
    return found
  }

  /** The first call from which on everything is as it is at a call. */
  stateOf(n: number): number {
    return Math.max(0, ...[...this.#changes].filter((change) => change <= n))
  }
}
