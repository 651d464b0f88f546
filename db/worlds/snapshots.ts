import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import type { Changes } from './changes.ts'
import { fileSize, removeDatabase, type WorldFiles } from './files.ts'

/** Named copies of a world's state. All of these reject with NoSuchWorld. */
export interface Snapshots {
  /** The names of a world's snapshots, in alphabetical order. */
  snapshots(id: number): Promise<string[]>
  /** Saves the current state under a name, in place of a snapshot that has it already. */
  snapshot(id: number, name: string): Promise<void>
  /** Replaces a world's state with a snapshot; false when there is none of that name. */
  restore(id: number, name: string, keepsJournal?: boolean): Promise<boolean>
  /** Bytes of a snapshot; 0 when there is none of that name. */
  snapshotBytes(id: number, name: string): number
  /** Bytes that a restore in flight has copied. */
  restoredBytes(id: number): number
  /** False when there is none of that name. */
  deleteSnapshot(id: number, name: string): Promise<boolean>
}

export const createSnapshots = (changes: Changes, files: WorldFiles): Snapshots => ({
  async snapshots(id) {
    changes.slotOf(id)
    return files.snapshotNames(id)
  },
  snapshot: (id, name) =>
    changes.inOrder(id, (slot) =>
      files.writeAtomically(files.snapshot(id, name), (tempFile) => changes.copyState(slot, tempFile)),
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
  snapshotBytes: (id, name) => fileSize(files.snapshot(id, name)),
  restoredBytes: (id) => changes.writtenBytes(id),
  deleteSnapshot: (id, name) =>
    changes.inOrder(id, async () => {
      const snapshot = files.snapshot(id, name)
      if (!existsSync(snapshot)) return false
      removeDatabase(snapshot)
      return true
    }),
})
