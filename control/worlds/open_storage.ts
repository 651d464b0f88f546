import type { ReadTime } from '../../db/clock.ts'
import type { Folder } from '../../db/folders.ts'
import { migrationCount } from '../../db/migrate.ts'
import { Unavailable } from '../../db/unavailable.ts'
import {
  DEFAULT_WORLD,
  openWorlds,
  type Populate,
  type StorageOptions,
  type Worlds,
  type WorldsOptions,
} from '../../db/worlds.ts'
import { SUBSCRIBERS } from '../../domains/index.ts'
import type { OnFault } from '../../http/error_handler.ts'
import { populate, type Start } from '../../scenarios/index.ts'
import type { Templates } from '../../scenarios/templates.ts'
import { populateFromPath } from '../world_file/import.ts'

/** Where the worlds of a server are, and what a new default world contains. */
export interface WorldStorageOptions extends Start {
  folder: Folder
  mode: 'temporary' | 'kept'
  /** The database in which the worlds are, for several servers; the folder then has copies of some. */
  database?: DatabaseOptions | undefined
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
  /** Bytes of all checkpoints, at most (tests). */
  maxCheckpointBytes?: number
  onFault: OnFault
  /** Called with texts for the person who runs the server. */
  onNotice?: (text: string) => void
}

export interface DatabaseOptions {
  /** `postgres://user:password@host/database` */
  url: string
  /** Ms after which other servers take over the worlds of one that is gone. */
  leaseMs: number
  /** The address at which other servers reach this one; null: they do not. */
  advertise: string | null
  /** Version of the world files; default: that of this program (tests). */
  format?: number
}

export const worldDefaults = ({ switches = {}, secret }: Start) => ({ switches, secret })

/** Opens the worlds of a server. A damaged default world fails here, before anything else starts. */
export async function openStorage(options: WorldStorageOptions, readTime: ReadTime | undefined): Promise<Worlds> {
  const { folder, mode, database, load, storage, templates, isExposed = false, allowlist = [] } = options
  const populateDefault = load
    ? // The server does not listen yet, so that the policy needs no addresses.
      populateFromPath(load, { ...worldDefaults(options), networkPolicy: { isExposed, allowlist } })
    : (file: string, id: number) => populate(file, id, options, templates && { templates })
  const worldsOptions = {
    start: load !== undefined,
    subscribers: SUBSCRIBERS,
    maxCheckpointBytes: options.maxCheckpointBytes,
    readTime,
    onError: options.onFault,
    onNotice: options.onNotice,
  }
  if (database) return openShared(options, database, populateDefault, worldsOptions)
  const worlds = await openWorlds(folder, mode, populateDefault, { ...worldsOptions, storage })
  worlds.release((await worlds.acquire(DEFAULT_WORLD))!)
  return worlds
}

/** Lazy: most servers share nothing. */
async function openShared(
  { folder, onFault }: WorldStorageOptions,
  { url: databaseUrl, leaseMs, advertise: url, format = migrationCount() }: DatabaseOptions,
  populateDefault: Populate,
  options: WorldsOptions,
): Promise<Worlds> {
  const { openSharedWorlds } = await import('../../db/shared/shared_worlds.ts')
  const onError = (error: Error) => {
    if (!(error instanceof Unavailable)) onFault(error)
  }
  return openSharedWorlds(folder, populateDefault, { ...options, databaseUrl, leaseMs, url, format, onError })
}
