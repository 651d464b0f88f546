import { readFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { realNow, timeIn } from '../clock.ts'
import { readStoredClock } from '../world.ts'
import type { AutomaticSnapshot, AutomaticSnapshots } from './automatic_snapshots.ts'
import type { Changes, Populate } from './changes.ts'
import { fileSize, type WorldFiles } from './files.ts'

/** What is known about a snapshot. Snapshots of older versions have a name and a size only. */
export interface SnapshotDescription {
  name: string
  /** What the server took it before; null: it was stored under its name. */
  automatic: AutomaticSnapshot['automatic'] | null
  /** Real time, ms. */
  createdAt: number | null
  /** Of its file. */
  bytes: number
  /** World time in it, ms. */
  now: number | null
  label: string | null
}

/** Copies of a world's state, named and automatic ones, and its start. All of these reject with NoSuchWorld. */
export interface Snapshots {
  /** The automatic snapshots of a world, the newest first, and then the others in alphabetical order. */
  snapshots(id: number): Promise<SnapshotDescription[]>
  /** Saves the current state under a name, in place of a snapshot that has it already. */
  snapshot(id: number, name: string, label: string | null): Promise<void>
  /** Replaces a world's state with a snapshot; false when there is none of that name. */
  restore(id: number, name: string, keepsJournal?: boolean): Promise<boolean>
  /** Copies a snapshot to `file`, which must not exist; false when there is none of that name. */
  copySnapshot(id: number, name: string, file: string): Promise<boolean>
  /** Writes the state that `reset` restores to `file`, which must not exist. */
  copyStart(id: number, populate: Populate, file: string): Promise<unknown>
  /** Bytes that a restore in flight has copied. */
  restoredBytes(id: number): number
  /** False when there is none of that name. */
  deleteSnapshot(id: number, name: string): Promise<boolean>
}

type Details = Pick<SnapshotDescription, 'createdAt' | 'now' | 'label'>
const NO_DETAILS: Details = { createdAt: null, now: null, label: null }

export function createSnapshots(changes: Changes, files: WorldFiles, automatic: AutomaticSnapshots): Snapshots {
  const findAutomatic = (id: number, name: string) => automatic.list(id).find((one) => one.name === name)

  /** Has `copy` copy the file of a snapshot, after the changes before. A name becomes a path only if a file has it. */
  const withFile = (id: number, name: string, copy: (file: string) => Promise<unknown>) =>
    changes.inOrder(id, async () => {
      const snapshot = findAutomatic(id, name)
      if (snapshot) await automatic.use(snapshot, copy)
      else if (files.snapshotNames(id).includes(name)) await copy(files.snapshot(id, name))
      else return false
      return true
    })

  return {
    async snapshots(id) {
      changes.slotOf(id)
      const named = files.snapshotNames(id).map((name) => ({
        name,
        automatic: null,
        bytes: fileSize(files.snapshot(id, name)),
        ...readDetails(files.snapshotDescription(id, name)),
      }))
      return [...automatic.list(id).reverse(), ...named]
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
      withFile(id, name, (file) =>
        changes.replaceState(changes.slotOf(id), { change: 'restore', name, keepsJournal }, (tempFile) =>
          copyFile(file, tempFile),
        ),
      ),
    copySnapshot: (id, name, to) => withFile(id, name, (file) => copyFile(file, to)),
    copyStart: (id, populate, file) => changes.copyStart(id, populate, file),
    restoredBytes: (id) => changes.writtenBytes(id),
    deleteSnapshot: (id, name) =>
      changes.inOrder(id, async () => {
        const snapshot = findAutomatic(id, name)
        if (!snapshot) return files.snapshotNames(id).includes(name) && files.deleteSnapshot(id, name)
        automatic.discard(snapshot)
        return true
      }),
  }
}

function readDetails(file: string): Details {
  try {
    return { ...NO_DETAILS, ...JSON.parse(readFileSync(file, 'utf8')) }
  } catch {
    return NO_DETAILS
  }
}
