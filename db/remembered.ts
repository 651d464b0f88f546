/** What was looked up or reckoned, by what it was asked with: so many, then it begins anew. For what is cheap to find again. */
export class Remembered<Key, Fact> extends Map<Key, Fact> {
  readonly #most: number

  constructor(most: number) {
    super()
    this.#most = most
  }

  override set(key: Key, fact: Fact): this {
    if (this.size >= this.#most) this.clear()
    return super.set(key, fact)
  }
}
