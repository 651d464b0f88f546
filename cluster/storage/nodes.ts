import type { QueryResultRow } from 'pg'
import type { Query } from './database.ts'

/** Connections of a node, at most. */
export const MAX_CONNECTIONS = 8

/** A server of the cluster. One that has lost its lease registers again, as another node. */
export interface StoredNode {
  id: string
  /** Where the others reach it; null: nowhere. */
  url: string | null
  /** Ms since it renewed its lease, by the clock of the database. */
  age: number
  leaseMs: number
  /** Its lease has not ended. */
  isAlive: boolean
  worlds: number
  /** The highest format of worlds that it can open. */
  format: number
}

/** All nodes, the living ones first. */
export const readNodes = (query: Query): Promise<StoredNode[]> =>
  query<StoredNode & QueryResultRow>(
    `SELECT id, url, format,
       ${milliseconds('clock_timestamp() - seen')} AS age, ${milliseconds('lease')} AS "leaseMs",
       NOT dead AND seen + lease >= clock_timestamp() AS "isAlive",
       (SELECT count(*) FROM mercadito.world WHERE holder = node.id) AS worlds
     FROM mercadito.node ORDER BY "isAlive" DESC, url, id`,
  )

const milliseconds = (interval: string) => `round(extract(epoch FROM ${interval}) * 1000)::bigint`

/** A world of the cluster, with its log: what was not folded into its state yet. */
export interface StoredWorld {
  id: number
  /** The node that has it, which may be dead; null: none. */
  node: string | null
  url: string | null
  /** Of its log. */
  entries: number
  logBytes: number
  /** Of the files of all its states. */
  bytes: number
  format: number
}

export const readWorlds = (query: Query): Promise<StoredWorld[]> =>
  query<StoredWorld & QueryResultRow>(
    `SELECT world.id, holder AS node, url, world.format, count(log.seq) AS entries,
       coalesce(sum(octet_length(log.bytes)), 0)::bigint AS "logBytes",
       (SELECT sum(bytes) FROM mercadito.state WHERE state.world = world.id)::bigint AS bytes
     FROM mercadito.world LEFT JOIN mercadito.node ON node.id = holder LEFT JOIN mercadito.log ON log.state = world.state
     GROUP BY world.id, node.id ORDER BY world.id`,
  )
