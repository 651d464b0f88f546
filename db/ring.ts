/** The latest values of a kind. Their ids count from 1 in the order in which they were added. */
export class Ring<T> {
  readonly #max: number
  readonly #budget: RingBudget | undefined
  /** The value with id n is at (n − 1) modulo `#max`. */
  #slots: (T | undefined)[] = []
  #first = 1
  #next = 1
  /** Called after each new value. */
  readonly listeners = new Set<() => void>()

  constructor(max: number, budget?: RingBudget) {
    this.#max = max
    this.#budget = budget
  }

  /** Whether anything waits for new values. */
  get isWatched(): boolean {
    return this.listeners.size > 0
  }

  /** Id of the oldest value that is stored; `next` if there is none. */
  get first(): number {
    return this.#first
  }

  /** Id of the next value. */
  get next(): number {
    return this.#next
  }

  /** The value with an id; undefined if it is not stored. */
  get(id: number): T | undefined {
    return id >= this.#first && id < this.#next ? this.#slots[(id - 1) % this.#max] : undefined
  }

  /** The stored values with ids of `from` and above, at most `limit`, in their order. */
  values(from = this.#first, limit = this.#max): T[] {
    const start = Math.max(from, this.#first)
    const values: T[] = []
    for (let id = start; id < this.#next && values.length < limit; id++) values.push(this.get(id)!)
    return values
  }

  append(value: T): void {
    if (this.#next - this.#first === this.#max) this.dropOldest()
    this.#budget?.add(this, this.#next)
    this.#slots[(this.#next - 1) % this.#max] = value
    this.#next++
    if (this.isWatched) for (const listener of this.listeners) listener()
  }

  /** Removes and returns the oldest value; there must be one. */
  dropOldest(): T {
    const slot = (this.#first - 1) % this.#max
    const value = this.#slots[slot]!
    this.#slots[slot] = undefined
    this.#first++
    return value
  }

  /** Removes the values up to an id. */
  dropUntil(id: number): void {
    while (this.#first <= id && this.#first < this.#next) this.dropOldest()
  }

  /** Skips ids, for values that were lost; no value before them is stored any more. */
  skip(count: number): void {
    this.#slots = []
    this.#next += count
    this.#first = this.#next
  }

  /** Removes all values; ids continue. */
  clear(): void {
    this.skip(0)
  }
}

/** Bounds the number of values in all rings that share it: it drops those that were added first. */
export class RingBudget {
  readonly #max: number
  readonly #added: { ring: Ring<unknown>; id: number }[] = []
  #count = 0

  constructor(max: number) {
    this.#max = max
  }

  add(ring: Ring<unknown>, id: number): void {
    const slot = this.#count++ % this.#max
    const oldest = this.#added[slot]
    oldest?.ring.dropUntil(oldest.id)
    this.#added[slot] = { ring, id }
  }
}
