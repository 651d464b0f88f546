interface RingOptions<T> {
  /** Bounds this ring together with others. */
  budget?: RingBudget
  /** The size of a value in the budget; default: 1. */
  sizeOf?: (value: T) => number
  /** Sum of the sizes in this ring. */
  maxSize?: number
}

/** The latest values of a kind. Their ids count from 1 in the order in which they were added. */
export class Ring<T> {
  readonly #max: number
  readonly #maxSize: number
  readonly #sizeOf: (value: T) => number
  readonly #budget: RingBudget | undefined
  #slots: (T | undefined)[] = []
  #first = 1
  #next = 1
  #size = 0
  #dropped = 0
  /** Called after each new value. */
  readonly listeners = new Set<() => void>()

  constructor(max: number, { budget, sizeOf = () => 1, maxSize = Number.POSITIVE_INFINITY }: RingOptions<T> = {}) {
    this.#max = max
    this.#maxSize = maxSize
    this.#sizeOf = sizeOf
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

  get isEmpty(): boolean {
    return this.#first === this.#next
  }

  /** Number of values that were dropped because of a limit since the ring was cleared. */
  get dropped(): number {
    return this.#dropped
  }

  /** The value with an id; undefined if it is not stored. */
  get(id: number): T | undefined {
    return id >= this.#first && id < this.#next ? this.#slots[this.placeOf(id)] : undefined
  }

  /** Where the value with an id is stored: from 0. */
  protected placeOf(id: number): number {
    return (id - 1) % this.#max
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
    this.#slots[this.placeOf(this.#next)] = value
    this.#next++
    this.#resize(this.#sizeOf(value))
    while (this.#size > this.#maxSize) this.dropOldest()
    if (this.isWatched) for (const listener of this.listeners) listener()
  }

  /** Removes the oldest value; there must be one. */
  dropOldest(): void {
    const place = this.placeOf(this.#first)
    const value = this.#slots[place]!
    this.#slots[place] = undefined
    this.#first++
    this.#dropped++
    this.#resize(-this.#sizeOf(value))
  }

  /** Skips ids, for values that were lost; no value before them is stored any more. */
  skip(count: number): void {
    this.#slots = []
    this.#next += count
    this.#first = this.#next
    this.#resize(-this.#size)
  }

  /** Removes all values; ids continue. */
  clear(): void {
    this.skip(0)
    this.#dropped = 0
  }

  #resize(change: number): void {
    this.#size += change
    this.#budget?.resize(this, change)
  }
}

type AnyRing = Pick<Ring<unknown>, 'isEmpty' | 'dropOldest'>

/** Bounds the size of all rings that share it: the one that was appended to least recently loses its oldest values. */
export class RingBudget {
  readonly #max: number
  #size = 0
  /** Rings with values; the one that was appended to last is last. */
  readonly #rings = new Set<AnyRing>()
  #latest: AnyRing | undefined

  constructor(max: number) {
    this.#max = max
  }

  /** Called by a ring whose size has changed. */
  resize(ring: AnyRing, change: number): void {
    this.#size += change
    if (ring.isEmpty) this.#remove(ring)
    else if (change > 0) this.#moveToEnd(ring)
    while (this.#size > this.#max) {
      const [oldest] = this.#rings
      oldest!.dropOldest()
    }
  }

  #moveToEnd(ring: AnyRing): void {
    if (this.#latest === ring) return
    this.#rings.delete(ring)
    this.#rings.add(ring)
    this.#latest = ring
  }

  #remove(ring: AnyRing): void {
    this.#rings.delete(ring)
    if (this.#latest === ring) this.#latest = undefined
  }
}
