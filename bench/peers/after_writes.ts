import type { Load } from '../processes.ts'
import type { Participant } from './participants.ts'
import { type TestData, writesOf } from './test_data.ts'
import { play } from './turns.ts'

export type AfterRow = 'page' | 'series'
export const AFTER = ['page', 'series'] as const satisfies AfterRow[]

/**
 * The cost of a read after a write that changes its answer: time of (write + read) − time of a write alone, by the clock
 * and by the CPU time of the server. One connection, so that every read follows a write; both worlds are synchronous =
 * OFF. The writes add no rows that the reads would scan. Dropping a cached answer counts as part of the read.
 */
export async function afterWrites(
  load: Load,
  { server, requests }: Participant,
  row: AfterRow,
  data: TestData,
  seconds: number,
) {
  const writes = writesOf(row, data)
  const [read] = requests[row] as [string]
  const pairs = writes.flatMap((write) => [write, read])
  const one = (requests: string[]) => play(load, server, { requests, connections: 1, seconds, isSequential: true })
  // Pairs before and after the writes, so that a drift affects both equally.
  const first = await one(pairs)
  const alone = await one(writes)
  const second = await one(pairs)
  const clock = (2 * (first.seconds + second.seconds)) / (first.count + second.count) - alone.seconds / alone.count
  const cpu = first.cpuEach + second.cpuEach - alone.cpuEach
  return { perSecond: 1 / clock, perCpu: 1 / cpu, loadBusy: first.loadBusy }
}
