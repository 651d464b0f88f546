/** What the program ends with. */
export const EXIT = { ok: 0, failure: 1, usage: 2, unverified: 3 } as const

/** Where a command writes. */
export interface Terminal {
  out(text: string): void
  err(text: string): void
}

/** The program that was run for somebody ended with this: nothing is to be said about it. */
export class Ended extends Error {
  readonly code: number
  constructor(code: number) {
    super()
    this.code = code
  }
}

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
