import type { Load } from '../processes.ts'
import type { Entrant } from './entrants.ts'
import { type Facts, writesOf } from './facts.ts'
import { play } from './turns.ts'

export type AfterRow = 'page' | 'series'
export const AFTER = ['page', 'series'] as const satisfies AfterRow[]

/**
 * What a read takes whose answer the write just before it has changed. One connection sends write, read, write, read:
 * with more of them several reads would follow several writes, and only the first of those would find the answer
 * changed. The writes alone are played in between, also on one connection, and what a read takes is
 *
 *     time of (write + read) − time of a write alone
 *
 * once by the clock, where a way there and back is in it as in every request on one connection, and once by what the
 * server was on its core, which is what the goal is about. Both worlds are synchronous = OFF, so that no write waits
 * for a disk; and alone as well as in pairs each is a commit of its own. The writes make no rows that the reads would
 * have to look through: one question is put on hold and released, the count of one hour grows. Where answers are kept
 * ready, writes alone have none to drop: what that takes counts with the read.
 */
export async function afterWrites(
  load: Load,
  { server, requests }: Entrant,
  row: AfterRow,
  facts: Facts,
  seconds: number,
) {
  const writes = writesOf(row, facts)
  const [read] = requests[row] as [string]
  const pairs = writes.flatMap((write) => [write, read])
  const one = (requests: string[]) => play(load, server, { requests, connections: 1, seconds, each: true })
  // The pairs on both sides of the writes: what drifts hits both alike.
  const first = await one(pairs)
  const alone = await one(writes)
  const second = await one(pairs)
  const clock = (2 * (first.seconds + second.seconds)) / (first.count + second.count) - alone.seconds / alone.count
  const cpu = first.cpuEach + second.cpuEach - alone.cpuEach
  return { perSecond: 1 / clock, perCpu: 1 / cpu, loadBusy: first.loadBusy }
}
