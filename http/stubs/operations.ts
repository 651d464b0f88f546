import { sql } from 'drizzle-orm'
import { $, type Q } from '../../db/engine.ts'
import { updateReturning } from '../../db/rows.ts'
import { stub } from '../../db/tables.ts'
import { mayAnswer } from '../../db/world.ts'
import type { StubAnswer } from './stubs.ts'

/** A call that a stub answers. */
export interface StubHit {
  id: number
  answer: StubAnswer
  /** Calls that it has answered, this one included. */
  hits: number
}

/** Counts a call; undefined when the stub has answered `times` calls, or was deleted. */
export async function countHit(q: Q, id: number): Promise<StubHit | undefined> {
  const row = await incrementHits(q).one({ id })
  return row && { id, answer: JSON.parse(row.answer), hits: row.hits }
}
const incrementHits = updateReturning(stub, { hits: sql`${stub.hits} + 1` }, { id: $ }, mayAnswer)
