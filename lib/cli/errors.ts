/** Exit codes; from 4 on the server could not start. A second signal ends the program with 128 + its number. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  /** `verify` found other calls than expected, or `audit --fail-on` a finding. */
  unverified: 3,
  /** The server cannot listen on the address or port. */
  addressUnavailable: 4,
  /** The folder cannot be created, read or written. */
  folderUnusable: 5,
  /** Another process uses the folder. */
  inUse: 6,
  /** The folder was written by a newer version. */
  newerVersion: 7,
  /** A file in the folder is damaged. */
  damagedFile: 8,
  /** The certificate or its key is not valid. */
  tls: 9,
  /** The database of several servers cannot be used. */
  databaseUnusable: 10,
  /** `exec --timeout` ended the program. */
  timeout: 124,
} as const

/** Ends this program with the exit code of the program that it ran, without a message. */
export class ProgramExit extends Error {
  readonly code: number
  constructor(code: number) {
    super()
    this.code = code
  }
}

/** Ends the program with `code`. The message is one line: what went wrong, and what to do. */
export class CliError extends Error {
  readonly code: number
  constructor(message: string, code: number = EXIT.failure) {
    super(message)
    this.code = code
  }
}

/** The command line is not valid. */
export const usageError = (message: string) => new CliError(message, EXIT.usage)
