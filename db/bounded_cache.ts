/** What was looked up or reckoned, by what it was asked with: so many, then it begins anew. For what is cheap to find again. */
export class BoundedCache<Key, Value> extends Map<Key, Value> {
  readonly #maxEntries: number

  constructor(maxEntries: number) {
    super()
    this.#maxEntries = maxEntries
  }

  override set(key: Key, value: Value): this {
    if (this.size >= this.#maxEntries) this.clear()
    return super.set(key, value)
  }
}
