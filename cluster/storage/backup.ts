import { writeFile } from 'node:fs/promises'
import type { OnFile } from '../../db/backup.ts'
import { WorldFiles, writeLastNumber } from '../../db/worlds/files.ts'
import { SNAPSHOT, START, type StoredState, type WorldReader } from './directory.ts'
import { DamagedLog } from './log_entry.ts'

/**
 * Copies the worlds of a database to an existing folder, which then is a data folder: each world as it was at one moment,
 * also while servers change it. Calls `onFile` after each database file. Throws DamagedLog.
 */
export async function saveWorldsTo(worlds: WorldReader, to: string, onFile: OnFile = () => {}): Promise<void> {
  const files = new WorldFiles(to, false)
  for (const { id } of await worlds.worlds())
    try {
      await worlds.readAll(id, async (state) => {
        await writeState(state, id, files)
        onFile(state.image.size)
      })
    } catch (error) {
      if (error instanceof DamagedLog) throw new DamagedLog(`world ${id}: ${error.message}`, { cause: error })
      throw error
    }
  // Last, so that it is not lower than any of them.
  writeLastNumber(to, await worlds.lastNumber())
}

async function writeState({ name, details, image }: StoredState, id: number, files: WorldFiles): Promise<void> {
  const write = (file: string) => writeFile(file, image.chunks())
  if (name === null) return write(files.state({ id, revision: 0 }))
  if (name === START) return write(files.start(id))
  const snapshot = name.slice(SNAPSHOT.length)
  await write(files.snapshot(id, snapshot))
  await writeFile(files.snapshotDescription(id, snapshot), details!)
}
