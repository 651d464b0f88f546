/** A control call that may take minutes. */
export interface LongCall {
  operation: 'simulate' | 'backup' | 'restore'
  /** Null: all worlds. */
  world: number | null
  unit: 'days' | 'bytes'
  total: number
  /** Called when the progress is read. */
  done: () => number
}

/** The long calls in flight. */
export class LongCalls {
  readonly #startTimes = new Map<LongCall, number>()

  /** Lists a call until its work has ended. */
  async track<A>(call: LongCall, work: () => Promise<A>): Promise<A> {
    this.#startTimes.set(call, performance.now())
    try {
      return await work()
    } finally {
      this.#startTimes.delete(call)
    }
  }

  /** In the order of their starts; `ms` is real time. */
  list() {
    return [...this.#startTimes].map(([{ operation, world, unit, total, done }, startedAt]) => ({
      operation,
      world,
      unit,
      // The total may be an estimate.
      done: Math.min(done(), total),
      total,
      ms: Math.round(performance.now() - startedAt),
    }))
  }
}
