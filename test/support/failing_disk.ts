import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, readSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('failing_disk.c', import.meta.url))

const CONTROL = 'failing_disk.control'
const NAMES = `${CONTROL}.names`
/** As failing_disk.c declares it. */
const NAME_OFFSET = 24
const NAME_BYTES = 100
/** The number of a call that is never made. */
export const MAX_CALL = 2 ** 31 - 1

/** Calls that can fail: write also stands for its relatives, sync for fsync and fdatasync. */
export const OPERATIONS = { write: 1, sync: 2, rename: 3 } as const
export type Operation = keyof typeof OPERATIONS

/**
 * Compiles the library into `folder`. Returns the environment of a process whose calls on files in `failingFolder` are
 * to fail. Throws if the compiler does.
 */
export function compileFailingDisk(folder: string, failingFolder: string): NodeJS.ProcessEnv {
  const library = join(folder, 'failing_disk.so')
  const { error, status, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'])
  if (error || status !== 0) throw error ?? new Error(String(stderr))
  writeFileSync(join(folder, CONTROL), Buffer.alloc(NAME_OFFSET + NAME_BYTES))
  writeFileSync(join(folder, NAMES), '')
  return { LD_PRELOAD: library, FAILING_DISK_CONTROL: join(folder, CONTROL), FAILING_DISK_FOLDER: failingFolder }
}

/** Makes calls of a process fail below its code, by the file that controls the library. */
export class FailingDisk {
  readonly #file: number
  readonly #names: string

  constructor(folder: string) {
    this.#file = openSync(join(folder, CONTROL), 'r+')
    this.#names = join(folder, NAMES)
  }

  /** From now on the calls from the `first` to the `last` of an operation fail. */
  fail(operation: Operation, error: 'EIO' | 'ENOSPC', first = 1, last = MAX_CALL): void {
    truncateSync(this.#names)
    this.#write([OPERATIONS[operation], constants.errno[error], first, last, 0, 0])
  }

  heal(): void {
    this.#write([0])
  }

  /** Calls that have failed since `fail`. */
  failed(): number {
    const bytes = Buffer.alloc(4)
    readSync(this.#file, bytes, 0, 4, 20)
    return bytes.readInt32LE()
  }

  /** Paths, in the folder, of the calls before the first that fails. */
  paths(): string[] {
    return readFileSync(this.#names, 'utf8').split('\n').slice(0, -1)
  }

  /** Path, in the folder, of the last call that has failed. */
  failedFile(): string {
    const bytes = Buffer.alloc(NAME_BYTES)
    readSync(this.#file, bytes, 0, NAME_BYTES, NAME_OFFSET)
    return bytes.toString('utf8', 0, bytes.indexOf(0))
  }

  close(): void {
    closeSync(this.#file)
  }

  #write(numbers: number[]): void {
    const bytes = Buffer.alloc(numbers.length * 4)
    for (const [n, number] of numbers.entries()) bytes.writeInt32LE(number, n * 4)
    // Backwards: the operation is last, because it starts the count.
    writeSync(this.#file, bytes, 4, bytes.length - 4, 4)
    writeSync(this.#file, bytes, 0, 4, 0)
  }
}

/** Why the library cannot be used here; undefined if it can. */
export function missingForFailingDisk(): string | undefined {
  if (process.platform !== 'linux') return 'Linux'
  return spawnSync('cc', ['--version']).error ? 'a C compiler' : undefined
}
