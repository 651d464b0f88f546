import { existsSync, readFileSync, statSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { realNow, timeIn } from '../clock.ts'
import { readStoredClock } from '../world.ts'
import type { Changes, Populate } from './changes.ts'
import { fileSize, type WorldFiles } from './files.ts'

/** What is known about a snapshot. Snapshots of older versions have a name and a size only. */
interface SnapshotDescription {
  name: string
  /** Real time, ms. */
  createdAt: number | null
  /** Of its file. */
  bytes: number
  /** World time in it, ms. */
  now: number | null
  label: string | null
}

/** Named copies of a world's state, and its start. All of these reject with NoSuchWorld. */
export interface Snapshots {
  /** The names of a world's snapshots, in alphabetical order. */
  snapshots(id: number): Promise<string[]>
  describeSnapshots(id: number, names: readonly string[]): Promise<SnapshotDescription[]>
  /** Saves the current state under a name, in place of a snapshot that has it already. */
  snapshot(id: number, name: string, label: string | null): Promise<void>
  /** Replaces a world's state with a snapshot; false when there is none of that name. */
  restore(id: number, name: string, keepsJournal?: boolean): Promise<boolean>
  /** Copies a snapshot to `file`, which must not exist; false when there is none of that name. */
  copySnapshot(id: number, name: string, file: string): Promise<boolean>
  /** Writes the state that `reset` restores to `file`, which must not exist. */
  copyStart(id: number, populate: Populate, file: string): Promise<unknown>
  /** Bytes of a snapshot; 0 when there is none of that name. */
  snapshotBytes(id: number, name: string): number
  /** Bytes that a restore in flight has copied. */
  restoredBytes(id: number): number
  /** False when there is none of that name. */
  deleteSnapshot(id: number, name: string): Promise<boolean>
}

type Details = Pick<SnapshotDescription, 'createdAt' | 'now' | 'label'>
const NO_DETAILS: Details = { createdAt: null, now: null, label: null }

export const createSnapshots = (changes: Changes, files: WorldFiles): Snapshots => ({
  async snapshots(id) {
    changes.slotOf(id)
    return files.snapshotNames(id)
  },
  async describeSnapshots(id, names) {
    changes.slotOf(id)
    return names.map((name) => ({
      name,
      bytes: statSync(files.snapshot(id, name), { throwIfNoEntry: false })?.size ?? 0,
      ...readDetails(files.snapshotDescription(id, name)),
    }))
  },
  snapshot: (id, name, label) =>
    changes.inOrder(id, (slot) =>
      files.writeSnapshot(id, name, async (tempFile) => {
        await changes.copyState(slot, tempFile)
        const details: Details = { createdAt: realNow(), now: timeIn(await readStoredClock(tempFile)), label }
        return JSON.stringify(details)
      }),
    ),
  restore: (id, name, keepsJournal = false) =>
    changes.inOrder(id, async (slot) => {
      const snapshot = files.snapshot(id, name)
      if (!existsSync(snapshot)) return false
      await changes.replaceState(slot, { change: 'restore', name, keepsJournal }, (tempFile) =>
        copyFile(snapshot, tempFile),
      )
      return true
    }),
  copySnapshot: (id, name, file) =>
    changes.inOrder(id, async () => {
      const snapshot = files.snapshot(id, name)
      if (!existsSync(snapshot)) return false
      await copyFile(snapshot, file)
      return true
    }),
  copyStart: (id, populate, file) => changes.copyStart(id, populate, file),
  snapshotBytes: (id, name) => fileSize(files.snapshot(id, name)),
  restoredBytes: (id) => changes.writtenBytes(id),
  deleteSnapshot: (id, name) => changes.inOrder(id, () => files.deleteSnapshot(id, name)),
})

function readDetails(file: string): Details {
  try {
    return { ...NO_DETAILS, ...JSON.parse(readFileSync(file, 'utf8')) }
  } catch {
    return NO_DETAILS
  }
}
