import type { ClockReads, Validity } from '../db/clock.ts'
import type { World } from '../db/world.ts'

/** Inputs of an answer that are not in its key. */
interface Basis {
  version: number
  switches: World['switches']
}

/** An answer with status 200, or the note that it was requested once: then it has no text. */
export interface CachedResponse extends Basis {
  text?: string
  validity?: Validity
  /** The bytes of a long text. */
  buffer?: Buffer | undefined
}

/** An answer that is being built and will be stored. */
export interface PendingResponse extends Basis {
  key: string
  reads: ClockReads
}
