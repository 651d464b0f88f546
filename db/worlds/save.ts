import { readdirSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NoSuchWorld } from './changes.ts'
import { ownerOf, removeDatabase, stateName } from './files.ts'
import type { OpenFolder } from './open_folder.ts'

/** Copies a world, its start file and its snapshots to a folder; nothing when the world is removed meanwhile. */
export async function saveWorld(id: number, to: string, { changes, files }: OpenFolder): Promise<void> {
  try {
    await changes.inOrder(id, async (slot) => {
      await changes.copyState(slot, join(to, stateName({ id, revision: 0 })))
      for (const name of files.savedNames(id)) await copyFile(join(files.folder, name), join(to, name))
    })
  } catch (error) {
    if (!(error instanceof NoSuchWorld)) throw error
    for (const name of readdirSync(to)) if (ownerOf(name) === id) removeDatabase(join(to, name))
  }
}
