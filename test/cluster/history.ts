import { performance } from 'node:perf_hooks'

/** A read or write of a register, a value that has one history: the answer of a question, the clock of a world. */
export interface Operation {
  register: string
  client: string
  kind: 'read' | 'write'
  /** What was read, or written. */
  value: string
  /** Monotonic ms. */
  start: number
  /** Infinity: the outcome of a write is not known; it takes effect at any time after its start, or never. */
  end: number
}

/** How a request ended: with the value of the register, in error without an effect, or nobody knows. */
export type Outcome = { ok: string } | 'failed' | 'unknown'

/** The requests of all clients. */
export class History {
  readonly #operations: Operation[] = []

  /** Records a request. Reads whose outcome is not known, and what has failed, have no effect to explain. */
  async record(
    { value = '', ...request }: Pick<Operation, 'register' | 'client' | 'kind'> & { value?: string },
    send: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const start = performance.now()
    const outcome = await send()
    const end = performance.now()
    if (typeof outcome === 'object') this.#operations.push({ ...request, value: outcome.ok, start, end })
    else if (outcome === 'unknown' && request.kind === 'write')
      this.#operations.push({ ...request, value, start, end: Number.POSITIVE_INFINITY })
    return outcome
  }

  /** The first operation of each register that no order of the operations explains. */
  violations(initialOf: (register: string) => string): Operation[] {
    const registers = Map.groupBy(this.#operations, ({ register }) => register)
    return [...registers].flatMap(([register, operations]) => findViolation(operations, initialOf(register)) ?? [])
  }

  /** The longest time between two acknowledged operations of a group of registers, such as those of a world, ms. */
  longestPause(groupOf: (register: string) => string): number {
    const groups = Map.groupBy(this.#operations, ({ register }) => groupOf(register))
    return Math.max(0, ...[...groups.values()].map(longestPauseOf))
  }
}

function longestPauseOf(operations: Operation[]): number {
  const ends = operations.map(({ end }) => end).filter(Number.isFinite)
  ends.sort((a, b) => a - b)
  return ends.reduce((longest, end, n) => Math.max(longest, end - (ends[n - 1] ?? end)), 0)
}

/** What the register may contain, and the pending operations that have taken effect then. */
interface Configuration {
  value: string
  done: ReadonlySet<Operation>
}

/**
 * The first operation that cannot have taken effect between its start and its end, whatever the order of those that ran
 * at the same time; undefined if the history is linearizable. It follows the history with all configurations that are
 * possible, and lets pending writes take effect only when the end of an operation needs it (Lowe, "Testing for
 * linearizability", 2017).
 */
export function findViolation(operations: Operation[], initial: string): Operation | undefined {
  const readValues = new Set(operations.flatMap(({ kind, value }) => (kind === 'read' ? [value] : [])))
  // A write that may have no effect, and was not seen, explains nothing.
  const relevant = operations.filter(({ end, value }) => end !== Number.POSITIVE_INFINITY || readValues.has(value))
  const pending = new Set<Operation>()
  let configurations: Configuration[] = [{ value: initial, done: new Set() }]
  for (const { operation, isStart } of eventsOf(relevant)) {
    if (isStart) {
      pending.add(operation)
      configurations = configurations.map((configuration) => withReads(configuration, [operation]))
    } else {
      configurations = finish(operation, configurations, pending)
      pending.delete(operation)
      if (configurations.length === 0) return operation
    }
  }
  return undefined
}

function eventsOf(operations: Operation[]) {
  const events = operations.flatMap((operation) => [
    { operation, isStart: true, at: operation.start },
    { operation, isStart: false, at: operation.end },
  ])
  // Operations that touch ran at the same time.
  events.sort((a, b) => a.at - b.at || Number(b.isStart) - Number(a.isStart))
  return events.filter(({ at }) => at !== Number.POSITIVE_INFINITY)
}

/** A pending read of the present value is best done at once: it changes nothing. */
function withReads({ value, done }: Configuration, pending: Iterable<Operation>): Configuration {
  const reads = [...pending].filter((operation) => operation.kind === 'read' && operation.value === value)
  return { value, done: new Set([...done, ...reads]) }
}

/** The configurations in which an operation has taken effect, without it. */
function finish(operation: Operation, configurations: Configuration[], pending: Set<Operation>): Configuration[] {
  const ids = new Map([...pending].map((each, n) => [each, n]))
  const seen = new Set<string>()
  const isNew = ({ value, done }: Configuration) => {
    const key = JSON.stringify([value, [...done].map((each) => ids.get(each)!).sort((a, b) => a - b)])
    return !seen.has(key) && seen.add(key)
  }
  const finished: Configuration[] = []
  const left = configurations.filter(isNew)
  for (let next = left.pop(); next; next = left.pop()) {
    const { value, done } = next
    if (done.has(operation)) {
      finished.push({ value, done: new Set([...done].filter((each) => each !== operation)) })
      continue
    }
    for (const write of pending)
      if (write.kind === 'write' && !done.has(write)) {
        const written = withReads({ value: write.value, done: new Set([...done, write]) }, pending)
        if (isNew(written)) left.push(written)
      }
  }
  return finished
}
