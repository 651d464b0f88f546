import type { Cause } from '../../db/causes.ts'
import type { Generation, World } from '../../db/world.ts'

/** A call as the cause of changes. */
export interface CallCause extends Cause {
  /** A call of the emulated API, or of the control plane. */
  kind: 'request' | 'control'
  /** Its id in the journal; null until it is recorded. */
  id: number | null
  /** Who made a control call, if that is known. */
  by: string | null
}

/** A successful call that has changed a world. */
export interface CountedWrite {
  history: Generation['history']
  /** Counts from 1 in its history. What an undo takes back is counted again. */
  n: number
}

/** How answers and event streams show a cause. */
export const presentCause = (cause: CallCause | undefined) => (cause ? { kind: cause.kind, id: cause.id } : null)

/** The call that caused an event or notification; undefined if it is not known, as after a restart. */
export const causeOf = ({ generation }: World, { cause }: { cause: number | null }): CallCause | undefined =>
  cause === null ? undefined : (generation.causes.of(cause) as CallCause | undefined)
