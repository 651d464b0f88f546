import type { Manifest, OnFile } from '../../db/backup.ts'
import { readNodes, readWorlds, type StoredNode, type StoredWorld } from '../storage/nodes.ts'
import { checkTables } from '../storage/schema.ts'
import { StoredWorlds } from '../storage/stored_worlds.ts'
import { DatabaseProblem, databaseName, withDatabase } from './errors.ts'

// What the command line does with a database that servers share, without a server.

export { NewerWorld } from '../storage/directory.ts'
export { NewerSchema } from '../storage/schema.ts'
export { checkDatabase, type Finding } from './doctor.ts'
export { DatabaseProblem, explainDatabaseError } from './errors.ts'

/** Ms for a connection, and for one statement. */
const READ_TIMEOUT_MS = 10_000
const COPY_TIMEOUT_MS = 60_000

/** The servers that share a database, and with `hasWorlds` its worlds. */
export interface ClusterNodes {
  nodes: StoredNode[]
  worlds?: StoredWorld[]
}

/** Reads both at the same moment. */
export const readCluster = (url: string, hasWorlds: boolean): Promise<ClusterNodes> =>
  withDatabase(url, READ_TIMEOUT_MS, ({ snapshot }) =>
    snapshot(async (query) => {
      await checkTables(query)
      return { nodes: await readNodes(query), ...(hasWorlds && { worlds: await readWorlds(query) }) }
    }),
  )

/** Backs up the worlds of a database to a new folder, without a server. Throws BadBackup. */
export const backUpDatabase = (url: string, folder: string, onFile: OnFile): Promise<Manifest> =>
  withDatabase(url, COPY_TIMEOUT_MS, async (database) => {
    // Lazy: commands that only call a server need no SQLite.
    const [{ makeBackup }, { saveWorldsTo }] = await Promise.all([
      import('../../db/backup.ts'),
      import('../storage/backup.ts'),
    ])
    await checkTables(database.query)
    return makeBackup(folder, (to) => saveWorldsTo(new StoredWorlds(database), to, onFile))
  })

/** What was restored to a database. */
export interface RestoredDatabase {
  database: string
  worlds: number
  bytes: number
}

/** Fills a database that has no worlds with those of a backup. Throws BadBackup. */
export const restoreDatabase = (
  url: string,
  from: string,
  temporaryRoot: string,
  onFile: OnFile,
): Promise<RestoredDatabase> =>
  withDatabase(url, COPY_TIMEOUT_MS, async (database) => {
    const { HasWorlds, restoreWorlds } = await import('../storage/restore.ts')
    try {
      const restored = await restoreWorlds(database, { from, temporaryRoot, onFile })
      return { database: databaseName(url), ...restored }
    } catch (error) {
      if (error instanceof HasWorlds)
        throw new DatabaseProblem(`${databaseName(url)}: ${error.message}; name an empty database, such as a new one`)
      throw error
    }
  })
