/** What the program ends with. */
export const EXIT = { ok: 0, failure: 1, usage: 2, unverified: 3 } as const

/** Says in one line what went wrong and what to do next; ends the program with `code`. */
export class Failure extends Error {
  readonly code: number
  constructor(message: string, code: number = EXIT.failure) {
    super(message)
    this.code = code
  }
}

/** The command was not written as it must be. */
export const badUsage = (message: string) => new Failure(message, EXIT.usage)
