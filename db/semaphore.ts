import { keptFor } from './kept.ts'

/** Runs functions in the order of the calls, at most `max` at the same time; with 1 it is a mutex. */
export class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(max = 1) {
    this.#free = max
  }

  /** Whether a call would wait. */
  get isBusy(): boolean {
    return this.#free === 0
  }

  /** Resolves or rejects as `work` does. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}

/** Runs one function at a time for each object, such as a world, and at most `max` at the same time for all of them. */
export class KeyedMutex<Key extends object> {
  readonly #total: Semaphore
  readonly #mutexOf = keptFor((_: Key) => new Semaphore())

  constructor(max = Number.POSITIVE_INFINITY) {
    this.#total = new Semaphore(max)
  }

  run<T>(key: Key, work: () => Promise<T>): Promise<T> {
    return this.#mutexOf(key).run(() => this.#total.run(work))
  }
}
