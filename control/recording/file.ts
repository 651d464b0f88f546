import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import type { Line } from './format.ts'

/** The file of a recording cannot be created. */
export class RecordingError extends Error {}

/** A file of lines. Lines are written at once: a killed server leaves whole lines, and none is kept in memory. */
export class RecordingFile {
  readonly #path: string
  readonly #onNotice: (text: string) => void
  #descriptor: number | undefined
  #bytes = 0

  /** Throws a RecordingError if the file exists or cannot be created. */
  constructor(path: string, onNotice: (text: string) => void) {
    this.#path = path
    this.#onNotice = onNotice
    try {
      this.#descriptor = openSync(path, 'wx', 0o600)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      throw new RecordingError(
        code === 'EEXIST'
          ? `${path} exists already: a recording overwrites no file; name another one, or remove it`
          : `cannot create the recording ${path} (${code}); name another file`,
      )
    }
  }

  get isOpen(): boolean {
    return this.#descriptor !== undefined
  }

  /** After a failure, such as a full disk, it reports once, and writes nothing more. */
  write(line: Line): void {
    if (this.#descriptor === undefined) return
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    try {
      for (let from = 0; from < bytes.length; ) from += writeSync(this.#descriptor, bytes, from, bytes.length - from)
      this.#bytes += bytes.length
    } catch (error) {
      this.#fail(error as NodeJS.ErrnoException)
    }
  }

  /** Ends the recording: the server goes on without it. */
  end(why: string): void {
    if (this.#descriptor === undefined) return
    this.write({ kind: 'end', why })
    if (this.isOpen) this.#onNotice(`the recording ${this.#path} has ended: ${why}`)
    this.close()
  }

  /** Removes the file: nothing was recorded. */
  discard(): void {
    this.close()
    rmSync(this.#path, { force: true })
  }

  close(): void {
    if (this.#descriptor === undefined) return
    closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  #fail({ code, message }: NodeJS.ErrnoException): void {
    try {
      // Nothing of the line that did not fit.
      ftruncateSync(this.#descriptor!, this.#bytes)
    } catch {
      // Readers ignore an unfinished last line.
    }
    this.close()
    this.#onNotice(
      `the recording ${this.#path} has ended after ${this.#bytes} bytes: it cannot be written (${code ?? message}); calls are served, but no longer recorded`,
    )
  }
}
