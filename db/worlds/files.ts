import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renameAtomically, writeFileAtomically } from '../folders.ts'

// Names in a folder of worlds. They are part of its format: folders of older versions must open.

/** A world's state; revision 0 has no number in its name. */
const STATE_FILE = /^world-(\d+)(?:\.(\d+))?\.sqlite$/
const SNAPSHOT_DESCRIPTION = /^(world-\d+\.snapshot\.[^/\\]+)\.json$/
const SNAPSHOT_FILE = /^world-(\d+)\.snapshot\.(.+)\.sqlite$/
/** The start file and the snapshots of a world, with their descriptions. */
const SAVED_FILE = /\.(start\.sqlite|snapshot\..+\.(sqlite|json))$/
const UNFINISHED_FILE = /\.new(-wal|-shm|-journal)?$/
const TEMP_PREFIX = 'passing-'
const LAST_NUMBER_FILE = 'last-world'

/** Identifies the file of a world's state. */
export interface StateKey {
  id: number
  /** Counts the states that the world has had. */
  revision: number
}

/** The world and revision of a state file; undefined for any other name. */
export function parseStateName(name: string): StateKey | undefined {
  const match = STATE_FILE.exec(name)
  return match ? { id: Number(match[1]), revision: Number(match[2] ?? 0) } : undefined
}

/** The world that a database file belongs to; undefined for any other name. */
export function ownerOf(name: string): number | undefined {
  const id = /^world-(\d+)\./.exec(name)?.[1]
  return id === undefined ? undefined : Number(id)
}

/** Whether a name is that of a database that is kept between runs. */
export const isDatabase = (name: string): boolean => /^world-\d+\.[^/\\]*sqlite$/.test(name)

/**
 * Whether a backup contains a file of this name: databases with their logs, descriptions of snapshots, and the last
 * world number.
 */
export const isBackedUp = (name: string): boolean =>
  isDatabase(name.replace(/-wal$/, '')) || SNAPSHOT_DESCRIPTION.test(name) || name === LAST_NUMBER_FILE

/** The name of the snapshot that a file describes; undefined for any other name. */
export function describedSnapshot(name: string): string | undefined {
  const [, stem] = SNAPSHOT_DESCRIPTION.exec(name) ?? []
  return stem === undefined ? undefined : `${stem}.sqlite`
}

/** Whether a file was being written when its process ended. */
export const isUnfinished = (name: string): boolean => UNFINISHED_FILE.test(name) || name.startsWith(TEMP_PREFIX)

export const stateName = ({ id, revision }: StateKey): string =>
  revision === 0 ? `world-${id}.sqlite` : `world-${id}.${revision}.sqlite`

/** The name of a file until all of it is written. */
const tempNameOf = (file: string): string => `${file}.new`

/** Bytes; 0 when there is no such file. */
export const fileSize = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Removes a database file and the files that SQLite keeps next to it. */
export function removeDatabase(file: string): void {
  for (const suffix of ['-wal', '-shm', '-journal', '']) rmSync(file + suffix, { force: true })
}

/** Writes the highest number that a world of the folder has had: numbers are never used again. */
export function writeLastNumber(folder: string, id: number): void {
  writeFileAtomically(join(folder, LAST_NUMBER_FILE), String(id), folder, true)
}

/** 0 when there is none. */
export function readLastNumber(folder: string): number {
  try {
    return Number(readFileSync(join(folder, LAST_NUMBER_FILE), 'utf8')) || 0
  } catch {
    return 0
  }
}

/** Writes a file that does not exist yet, or stores one. */
type WriteFile = (file: string) => Promise<unknown> | undefined

/** Stores the files of worlds elsewhere, if the folder is only a copy. Each call resolves when that is done. */
export interface FileStore {
  /** `file` becomes the present state of a world, which may be new. */
  storeState(key: StateKey, file: string): Promise<void>
  /** The state that was stored last is served now, or cannot be: then the one before must not be served either. */
  stateReplaced(id: number, isServed: boolean): void
  storeStart(id: number, file: string): Promise<void>
  /** `description`: JSON. */
  storeSnapshot(id: number, name: string, file: string, description: string): Promise<void>
  deleteSnapshot(id: number, name: string): Promise<void>
  storeRecord(id: number, record: string): Promise<void>
  /** Removes a world with all its files. */
  remove(id: number): Promise<void>
}

/** The files of the worlds in one folder. */
export class WorldFiles {
  readonly folder: string
  /** Whether files must survive a power cut. */
  readonly #isDurable: boolean
  readonly #store: FileStore | undefined
  #tempFileCount = 0

  constructor(folder: string, isDurable: boolean, store?: FileStore) {
    this.folder = folder
    this.#isDurable = isDurable
    this.#store = store
  }

  state(key: StateKey): string {
    return join(this.folder, stateName(key))
  }

  /** The copy of a world's first state, which not every world has. */
  start(id: number): string {
    return join(this.folder, `world-${id}.start.sqlite`)
  }

  /** Makes a file the start file of a world. */
  async setStart(id: number, file: string): Promise<void> {
    await this.#store?.storeStart(id, file)
    renameAtomically(file, this.start(id), this.folder, this.#isDurable)
  }

  record(id: number): string {
    return join(this.folder, `world-${id}.json`)
  }

  /** Bytes of all files of each world. */
  sizes(ids: readonly number[]): Map<number, number> {
    const sizes = new Map(ids.map((id) => [id, 0]))
    for (const name of readdirSync(this.folder)) {
      const size = sizes.get(ownerOf(name) ?? 0)
      if (size === undefined) continue
      sizes.set(ownerOf(name)!, size + fileSize(join(this.folder, name)))
    }
    return sizes
  }

  snapshot(id: number, name: string): string {
    return join(this.folder, `world-${id}.snapshot.${name}.sqlite`)
  }

  snapshotDescription(id: number, name: string): string {
    return join(this.folder, `world-${id}.snapshot.${name}.json`)
  }

  /** In alphabetical order. */
  snapshotNames(id: number): string[] {
    return readdirSync(this.folder)
      .flatMap((file) => {
        const [, owner, name] = SNAPSHOT_FILE.exec(file) ?? []
        return owner === String(id) ? [name!] : []
      })
      .sort()
  }

  /** Names of a world's start and snapshot files. */
  savedNames(id: number): string[] {
    return readdirSync(this.folder).filter((name) => ownerOf(name) === id && SAVED_FILE.test(name))
  }

  /** Bytes of a file that `writeAtomically` has written so far. */
  writtenBytes(file: string): number {
    return fileSize(tempNameOf(file)) || fileSize(file)
  }

  /** Has `write` write the present state of a world. */
  writeState(key: StateKey, write: WriteFile): Promise<void> {
    return this.#writeAtomically(this.state(key), write, (file) => this.#store?.storeState(key, file))
  }

  /** Whether the state that was written last is served now. */
  stateReplaced(id: number, isServed: boolean): void {
    this.#store?.stateReplaced(id, isServed)
  }

  /** Has `write` write the start file of a world. */
  writeStart(id: number, write: WriteFile): Promise<void> {
    return this.#writeAtomically(this.start(id), write, (file) => this.#store?.storeStart(id, file))
  }

  /** Has `write` write a snapshot, and return its description as JSON. */
  writeSnapshot(id: number, name: string, write: (tempFile: string) => Promise<string>): Promise<void> {
    const file = this.snapshotDescription(id, name)
    // Removed before and renamed after the snapshot: a description is never without it, or that of another state.
    return this.#writeAtomically(file, (tempDescription) =>
      this.#writeAtomically(
        this.snapshot(id, name),
        async (tempFile) => writeFileSync(tempDescription, await write(tempFile)),
        async (tempFile) => {
          await this.#store?.storeSnapshot(id, name, tempFile, readFileSync(tempDescription, 'utf8'))
          rmSync(file, { force: true })
        },
      ),
    )
  }

  /** False when there is none of that name. */
  async deleteSnapshot(id: number, name: string): Promise<boolean> {
    const snapshot = this.snapshot(id, name)
    if (!existsSync(snapshot)) return false
    await this.#store?.deleteSnapshot(id, name)
    rmSync(this.snapshotDescription(id, name), { force: true })
    removeDatabase(snapshot)
    return true
  }

  /** Writes what is known about a world besides its data. */
  async writeRecord(id: number, record: string): Promise<void> {
    await this.#store?.storeRecord(id, record)
    writeFileAtomically(this.record(id), record, this.folder, this.#isDurable)
  }

  /** Removes what is stored of a world elsewhere. */
  async removeStored(id: number): Promise<void> {
    await this.#store?.remove(id)
  }

  /** Removes the start file and the snapshots of a world. */
  removeSaved(id: number): void {
    for (const name of this.savedNames(id)) removeDatabase(join(this.folder, name))
  }

  /** A path that is not in use. The caller removes the file; the next start does if it could not. */
  temp(): string {
    return join(this.folder, `${TEMP_PREFIX}${++this.#tempFileCount}`)
  }

  /** Has `write` write a file under another name, and renames it: `file` is whole or not there. */
  async #writeAtomically(file: string, write: WriteFile, store?: WriteFile): Promise<void> {
    const tempFile = tempNameOf(file)
    try {
      await write(tempFile)
      await store?.(tempFile)
      renameAtomically(tempFile, file, this.folder, this.#isDurable)
    } catch (error) {
      removeDatabase(tempFile)
      throw error
    }
  }
}
