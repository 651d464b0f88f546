import { rm, writeFile } from 'node:fs/promises'

/** Codes of the system, and of SQLite; SHMSIZE: the index of the log could not grow. */
const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'])

/**
 * Whether a write failed because the disk is full. Nothing of it was stored, and a later one may succeed. A failed sync
 * is another error: after it the content of the log is unknown.
 */
export const isDiskFull = (error: Error): boolean => FULL_CODES.has((error as NodeJS.ErrnoException).code ?? '')

/** Throws while the disk is full. `tempFile` does not exist yet. */
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

/** Real ms between two messages about a disk that stays full. */
const NOTICE_INTERVAL_MS = 60_000

interface DiskOptions {
  tempFilePath(): string
  probe?: ProbeDisk | undefined
  /** Called with messages for the operator. */
  onNotice: (text: string) => void
}

/** Counts the writes that did not fit on the disk, and finds out when there is space again. */
export class Disk {
  readonly #tempFilePath: () => string
  readonly #probe: ProbeDisk
  readonly #onNotice: (text: string) => void
  #rejectedWrites = 0
  /** Whether a write failed, and no probe has succeeded since. */
  #mayBeFull = false
  #lastNoticeAt = Number.NEGATIVE_INFINITY
  #pendingProbe: Promise<boolean> | undefined

  constructor({ tempFilePath, probe = probeByWriting, onNotice }: DiskOptions) {
    this.#tempFilePath = tempFilePath
    this.#probe = probe
    this.#onNotice = onNotice
  }

  /** Writes that did not fit. */
  rejectedWrites(): number {
    return this.#rejectedWrites
  }

  /** Counts an error that `isDiskFull`. */
  onFull(): void {
    this.#rejectedWrites++
    this.#mayBeFull = true
    if (performance.now() - this.#lastNoticeAt < NOTICE_INTERVAL_MS) return
    this.#lastNoticeAt = performance.now()
    this.#onNotice('the disk is full: writes get 507 until there is space; answered writes are not lost')
  }

  /** Writes a temp file to find out, but only after a write has failed. */
  async isFull(): Promise<boolean> {
    if (!this.#mayBeFull) return false
    this.#pendingProbe ??= this.#hasNoSpace().finally(() => {
      this.#pendingProbe = undefined
    })
    return this.#pendingProbe
  }

  async #hasNoSpace(): Promise<boolean> {
    try {
      await this.#probe(this.#tempFilePath())
    } catch {
      return true
    }
    this.#mayBeFull = false
    this.#lastNoticeAt = Number.NEGATIVE_INFINITY
    this.#onNotice('the disk has space again')
    return false
  }
}
