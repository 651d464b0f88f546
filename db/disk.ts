import { rm, writeFile } from 'node:fs/promises'

/** Codes of the system, and of SQLite; SHMSIZE: the index of the log could not grow. */
const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'])

/**
 * Whether a write failed because the disk is full. Nothing of it was stored, and a later one may succeed. A failed sync
 * is another error: after it the content of the log is unknown.
 */
export const isDiskFull = (error: Error): boolean => FULL_CODES.has(codeOf(error))

const FAILURE_CODES = /^(?:EIO|EROFS|SQLITE_IOERR.*)$/

const codeOf = (error: Error): string => (error as NodeJS.ErrnoException).code ?? ''

/** What is wrong with the disk: it is full, or reads or writes fail. */
export type DiskFailure = 'full' | 'failed'

const failureOf = (error: Error): DiskFailure | undefined =>
  isDiskFull(error) ? 'full' : FAILURE_CODES.test(codeOf(error)) ? 'failed' : undefined

/** Messages for the operator. */
const NOTICES = {
  full: ['the disk is full: writes get 507 until there is space', 'the disk has space again'],
  failed: ['the disk failed: writes get 500 until it can be written', 'the disk can be written again'],
} as const

/** Throws while the disk cannot be written. `tempFile` does not exist yet. */
export type ProbeDisk = (tempFile: string) => Promise<void>

/** Larger than most writes, so that these succeed after it. */
const PROBE_BYTES = 1024 * 1024

const probeByWriting: ProbeDisk = async (tempFile) => {
  try {
    await writeFile(tempFile, Buffer.alloc(PROBE_BYTES), { flush: true })
  } finally {
    await rm(tempFile, { force: true })
  }
}

/** Real ms between two messages about a disk that stays as it is. */
const NOTICE_INTERVAL_MS = 60_000

interface DiskOptions {
  tempFilePath(): string
  probe?: ProbeDisk | undefined
  /** Called with messages for the operator. */
  onNotice: (text: string) => void
}

/** Takes note of errors of the disk, and finds out when it can be written again. */
export class Disk {
  readonly #tempFilePath: () => string
  readonly #probe: ProbeDisk
  readonly #onNotice: (text: string) => void
  #rejectedWrites = 0
  /** The latest failure; undefined: none since a probe has succeeded. */
  #failure: DiskFailure | undefined
  #lastNoticeAt = Number.NEGATIVE_INFINITY
  #pendingProbe: Promise<DiskFailure | undefined> | undefined

  constructor({ tempFilePath, probe = probeByWriting, onNotice }: DiskOptions) {
    this.#tempFilePath = tempFilePath
    this.#probe = probe
    this.#onNotice = onNotice
  }

  /** Writes that did not fit. */
  rejectedWrites(): number {
    return this.#rejectedWrites
  }

  /** Takes note of an error if it is one of the disk. */
  onError(error: Error): void {
    const failure = failureOf(error)
    if (!failure) return
    if (failure === 'full') this.#rejectedWrites++
    const isNew = failure !== this.#failure
    this.#failure = failure
    if (!isNew && performance.now() - this.#lastNoticeAt < NOTICE_INTERVAL_MS) return
    this.#lastNoticeAt = performance.now()
    this.#onNotice(`${NOTICES[failure][0]}; answered writes are not lost`)
  }

  /** What is wrong with the disk. Writes a temp file to find out, but only after an error. */
  async failure(): Promise<DiskFailure | undefined> {
    if (!this.#failure) return undefined
    this.#pendingProbe ??= this.#probeFailure().finally(() => {
      this.#pendingProbe = undefined
    })
    return this.#pendingProbe
  }

  async #probeFailure(): Promise<DiskFailure | undefined> {
    const failure = this.#failure!
    try {
      await this.#probe(this.#tempFilePath())
    } catch {
      return this.#failure
    }
    this.#failure = undefined
    this.#onNotice(NOTICES[failure][1])
    return undefined
  }
}
