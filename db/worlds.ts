import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Folder, settle } from './folders.ts'
import { migrate } from './migrate.ts'
import { openWorld, type World } from './world.ts'

/** Lays a new world out in `file`, closed again when it answers. */
export type LayOut = (file: string, id: number) => Promise<void>

export interface Worlds {
  mode: 'temporary' | 'kept'
  folder: string
  /** The world of a request that names none. */
  home: World
  find(id: number): World | undefined
  close(): void
}

const HOME = 1

/** Opens the worlds of a folder; the default world is laid out when it is not there yet. */
export async function openWorlds(folder: Folder, mode: Worlds['mode'], layOut: LayOut): Promise<Worlds> {
  const durable = mode === 'kept'
  const file = join(folder.path, `world-${HOME}.sqlite`)
  if (existsSync(file)) migrate(file)
  else {
    const draft = `${file}.new`
    for (const rest of ['', '-wal', '-shm']) rmSync(draft + rest, { force: true })
    await layOut(draft, HOME)
    settle(draft, file, folder.path, durable)
  }
  const home = await openWorld(file, { durable })
  return {
    mode,
    folder: folder.path,
    home,
    find: (id) => (id === home.id ? home : undefined),
    close() {
      home.close()
      folder.release()
    },
  }
}
