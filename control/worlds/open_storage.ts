import type { ReadTime } from '../../db/clock.ts'
import type { Folder } from '../../db/folders.ts'
import { openWorlds, type StorageOptions, type Worlds } from '../../db/worlds.ts'
import { SUBSCRIBERS } from '../../domains/index.ts'
import type { OnFault } from '../../http/errors/error_handler.ts'
import type { Sharing } from '../../http/sharing.ts'
import { populate, type Start } from '../../scenarios/index.ts'
import type { Templates } from '../../scenarios/templates.ts'

/** Where the worlds of a server are, and what a new default world contains. */
export interface WorldStorageOptions extends Start {
  folder: Folder
  mode: 'temporary' | 'kept'
  /** Undefined: no other server uses the worlds. */
  sharing?: Sharing | undefined
  /** Path of a world file from which a new default world is created, instead of the scenario. */
  load?: string | undefined
  /** The server listens beyond loopback. */
  isExposed?: boolean
  /** Hosts and networks that notifications may be sent to, besides those that every server allows. */
  allowlist?: string[]
  /** Templates that several servers of a process share; their creator closes them. */
  templates?: Templates | undefined
  /** Opens the commit log; the default depends on `mode`. */
  storage?: StorageOptions | undefined
  /** Bytes of all automatic snapshots, at most (tests). */
  maxSnapshotBytes?: number
  onFault: OnFault
  /** Called with texts for the person who runs the server. */
  onNotice?: (text: string) => void
}

export const worldDefaults = ({ switches = {}, secret }: Start) => ({ switches, secret })

/** Opens the worlds of a server. */
export async function openStorage(options: WorldStorageOptions, readTime: ReadTime | undefined): Promise<Worlds> {
  const { folder, mode, sharing, load, storage, templates, isExposed = false, allowlist = [] } = options
  const populateDefault = async (file: string, id: number): Promise<unknown> => {
    if (load === undefined) return populate(file, id, options, templates && { templates })
    const { populateFromPath } = await import('../world_file/import.ts')
    // The server does not listen yet, so that the policy needs no addresses.
    const defaults = { ...worldDefaults(options), networkPolicy: { isExposed, allowlist } }
    return populateFromPath(load, defaults)(file, id)
  }
  return (sharing?.openWorlds ?? openWorlds)(folder, mode, populateDefault, {
    start: load !== undefined,
    subscribers: SUBSCRIBERS,
    storage,
    maxSnapshotBytes: options.maxSnapshotBytes,
    readTime,
    onError: options.onFault,
    onNotice: options.onNotice,
  })
}
