/** Keeps the values that were used last, at most so many. */
export class Latest<Value> {
  readonly #kept = new Map<unknown, Value>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get(key: unknown): Value | undefined {
    const value = this.#kept.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  set(key: unknown, value: Value): void {
    this.#kept.delete(key)
    this.#kept.set(key, value)
    if (this.#kept.size > this.#most) this.#kept.delete(this.#kept.keys().next().value)
  }
}
