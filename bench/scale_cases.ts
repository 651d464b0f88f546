import type Sqlite from 'better-sqlite3'
import type { ReadyServer } from './processes.ts'
import { contactCases } from './scale_contacts.ts'
import { questionCases } from './scale_questions.ts'
import type { Shape } from './scale_world.ts'

/** A call, and the answer that the rows themselves give. */
export interface ExpectedCall {
  path: string
  expected(): unknown
}

export interface ScaleCase {
  name: string
  /** The hours or rows that it reads are bounded, and the smallest world has fewer: its growth has no goal. */
  isBounded?: boolean
  /** The n-th call, from 0. */
  call(n: number): ExpectedCall
  /** The part of an answer that is compared. */
  compared(body: never): unknown
}

/** A world that is measured; `db` reads its file. */
export interface ScaleTarget {
  world: Shape
  server: ReadyServer
  db: Sqlite.Database
}

/** The calls, all for the large seller. */
export const casesOf = async (
  target: ScaleTarget,
  isWanted: (name: string) => boolean,
): Promise<readonly ScaleCase[]> => [...contactCases(target), ...(await questionCases(target, isWanted))]
