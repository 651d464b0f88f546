/**
 * What the program ends with; from 4 on a server that could not start. A second signal ends it with 128 + its number.
 */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  unverified: 3,
  /** The address or port cannot be listened on. */
  addressUnavailable: 4,
  /** The folder cannot be made, read or written. */
  folderUnusable: 5,
  /** Another process has the folder. */
  inUse: 6,
  /** A newer version has written what is in the folder. */
  newerVersion: 7,
  /** A file in the folder is damaged. */
  damagedFile: 8,
  /** The certificate or its key is of no use. */
  tls: 9,
} as const

/** Where a command writes. */
export interface Terminal {
  out(text: string): void
  err(text: string): void
}

/** The program that was run for somebody ended with this: nothing is to be said about it. */
export class ProgramExit extends Error {
  readonly code: number
  constructor(code: number) {
    super()
    this.code = code
  }
}

/** Says in one line what went wrong and what to do next; ends the program with `code`. */
export class CliError extends Error {
  readonly code: number
  constructor(message: string, code: number = EXIT.failure) {
    super(message)
    this.code = code
  }
}

/** The command was not written as it must be. */
export const usageError = (message: string) => new CliError(message, EXIT.usage)
