import type { CallLine, Comparison, DeliveryLine, HeaderLine } from '../control/recording/format.ts'
import { printable } from '../domains/shared/commands.ts'
import { usageError } from '../lib/cli/errors.ts'
import { type Bounds, isCompressed, readLines } from './read.ts'
import { toSendable } from './send.ts'

const MAX_WORLDS = 100
const MAX_STATES = 10_000
const MAX_DELIVERIES = 100_000

/** What a replay must know before it begins. */
export interface Overview {
  header: HeaderLine
  /** Calls of the emulated API, and control calls. */
  calls: number
  /** What of their answers can be compared. */
  comparisons: Record<Comparison, number>
  isCompressed: boolean
  deliveries: DeliveryLine[]
  /** Whether ids follow from scenario, seed and number of each world. */
  isDeterministic: boolean
  /** Why the recording ended before the server; undefined: it did not. */
  endedBecause: string | undefined
}

/** Reads a whole recording before anything is made of it. Throws a CliError. */
export async function checkRecording(file: string, bounds: Bounds = {}): Promise<Overview> {
  const overview: Omit<Overview, 'header'> = {
    ...{ calls: 0, deliveries: [], isDeterministic: true, endedBecause: undefined },
    comparisons: { whole: 0, prefix: 0, status: 0, not: 0 },
    isCompressed: await isCompressed(file),
  }
  let header: HeaderLine
  let number = 0
  let states = 0
  let isInState = false
  const worlds = new Set<number>()
  const failed = (why: string) => usageError(`${printable(file)}: line ${number}: ${why}`)
  const numbers = new Set<number>()
  const checkCall = (call: CallLine) => {
    if (numbers.has(call.n)) throw failed(`n: ${call.n} is the number of an earlier call`)
    numbers.add(call.n)
    if (call.world !== null && call.compare !== 'not' && !worlds.has(call.world))
      throw failed(`world: the file has no state of world ${call.world} before this call`)
    const problem = toSendable(call).problem
    if (problem !== undefined) throw failed(problem)
    overview.calls++
    overview.comparisons[call.compare ?? 'whole']++
  }
  for await (const entry of readLines(file, bounds)) {
    const { line } = entry
    number = entry.number
    if (isInState && line.kind !== 'part' && line.kind !== 'state end')
      throw failed('kind: the state before it is not complete')
    if (!isInState && (line.kind === 'part' || line.kind === 'state end'))
      throw failed('kind: there is no state that it belongs to')
    if (line.kind === 'header') header = line
    else if (line.kind === 'state') {
      isInState = true
      worlds.add(line.world)
      overview.isDeterministic &&= line.deterministic
      if (worlds.size > MAX_WORLDS) throw failed(`world: a recording has at most ${MAX_WORLDS} worlds`)
      if (++states > MAX_STATES) throw failed(`kind: a recording has at most ${MAX_STATES} states`)
    } else if (line.kind === 'state end') isInState = false
    else if (line.kind === 'call' || line.kind === 'control') checkCall(line)
    else if (line.kind === 'delivery') {
      if (overview.deliveries.length < MAX_DELIVERIES) overview.deliveries.push(line)
    } else if (line.kind === 'end') overview.endedBecause = line.why
  }
  if (isInState) throw failed('the file is truncated: the state of a world is not complete')
  return { ...overview, header: header! }
}
