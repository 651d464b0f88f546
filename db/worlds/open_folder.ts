import type { ReadTime } from '../clock.ts'
import type { EventSubscriber } from '../engine.ts'
import { openCheckpointer } from '../sqlite/checkpointer.ts'
import type { OpenCommitLog } from '../sqlite/commit_log.ts'
import { type Generation, openWorld } from '../world.ts'
import { AutomaticSnapshots } from './automatic_snapshots.ts'
import { Changes } from './changes.ts'
import { Copies } from './copies.ts'
import type { WorldFiles } from './files.ts'
import { createSlot, OpenWorlds, type Slot } from './open_worlds.ts'
import { WorldRecords } from './records.ts'
import { recoverWorlds } from './recovery.ts'

export interface StorageOptions {
  openLog: OpenCommitLog
  /** Whether a thread makes the checkpoints, and not SQLite inside a COMMIT. */
  hasCheckpointer: boolean
}

export interface FolderOptions extends StorageOptions {
  subscribers?: readonly EventSubscriber[] | undefined
  maxSnapshotBytes?: number | undefined
  readTime?: ReadTime | undefined
  /** Called with what listeners of commits throw. */
  onError?: ((error: Error) => void) | undefined
  /** Called with messages for the operator. */
  onNotice?: ((text: string) => void) | undefined
  /** The error of a call for a world that is not in the folder. */
  missingError?: ((id: number) => Error) | undefined
}

/** What the worlds of one folder consist of. */
export interface OpenFolder {
  files: WorldFiles
  slots: Map<number, Slot>
  open: OpenWorlds
  changes: Changes
  automaticSnapshots: AutomaticSnapshots
  copies: Copies
  records: WorldRecords
  /** Removes a world with all that belongs to it. */
  remove(id: number): Promise<void>
  close(): void
}

/** Opens the worlds that are in a folder. Throws NewerFile, BrokenFile. */
export function openFolder(
  files: WorldFiles,
  { openLog, hasCheckpointer, subscribers, maxSnapshotBytes, readTime, onError, onNotice, missingError }: FolderOptions,
): OpenFolder {
  const checkpointer = hasCheckpointer ? openCheckpointer() : undefined
  const slots = new Map(recoverWorlds(files.folder, onNotice).map((state) => [state.id, createSlot(state)]))
  const openFile = (file: string, generation: Generation) =>
    openWorld(file, { openLog, checkpointer, subscribers, generation, readTime, onError })
  const open = new OpenWorlds(files, openFile, (file, callback) =>
    checkpointer ? checkpointer.whenIdle(file, callback) : callback(),
  )
  const changes = new Changes(slots, files, open, missingError)
  const automaticSnapshots = new AutomaticSnapshots(changes, files, maxSnapshotBytes)
  const records = new WorldRecords(files, slots.keys())
  return {
    files,
    slots,
    open,
    changes,
    automaticSnapshots,
    copies: new Copies(changes, files, subscribers),
    records,
    async remove(id) {
      await changes.remove(id)
      automaticSnapshots.discardAll(id)
      records.delete(id)
    },
    close() {
      records.close()
      automaticSnapshots.close()
      open.close()
      checkpointer?.close()
    },
  }
}
