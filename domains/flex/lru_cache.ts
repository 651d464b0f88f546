/** Keeps the most recently used values, at most `maxSize`. */
export class LruCache<Value> {
  readonly #entries = new Map<unknown, Value>()
  readonly #maxSize: number

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  get(key: unknown): Value | undefined {
    const value = this.#entries.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  set(key: unknown, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.#maxSize) this.#entries.delete(this.#entries.keys().next().value)
  }
}
