import { readNodes, readWorlds, type StoredNode, type StoredWorld } from '../storage/nodes.ts'
import { checkTables } from '../storage/schema.ts'
import { withDatabase } from './errors.ts'

const TIMEOUT_MS = 10_000

/** The servers that share a database, and with `hasWorlds` its worlds. */
export interface ClusterNodes {
  nodes: StoredNode[]
  worlds?: StoredWorld[]
}

/** Reads both at the same moment. */
export const readCluster = (url: string, hasWorlds: boolean): Promise<ClusterNodes> =>
  withDatabase(url, TIMEOUT_MS, ({ snapshot }) =>
    snapshot(async (query) => {
      await checkTables(query)
      return { nodes: await readNodes(query), ...(hasWorlds && { worlds: await readWorlds(query) }) }
    }),
  )
