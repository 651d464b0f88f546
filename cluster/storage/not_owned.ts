import { Unavailable } from '../../db/unavailable.ts'

/** A world cannot be served here now: another node owns it, or the lease of this one has ended. */
export class NotOwned extends Unavailable {
  readonly world: number
  /** Where its owner can be reached; null: not known. */
  readonly url: string | null

  constructor(world: number, url: string | null, message = `world ${world} is served by another server now`) {
    // A stack trace takes longer than finding the owner, and is never shown.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.world = world
    this.url = url
  }
}
