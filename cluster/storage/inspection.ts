import { performance } from 'node:perf_hooks'
import type { QueryResultRow } from 'pg'
import { realNow } from '../../db/clock.ts'
import type { Query } from './database.ts'
import { MILLISECONDS } from './lease.ts'

// What PostgreSQL says of itself to any user, for `doctor`.

export interface ServerFacts {
  /** The name of the user. */
  role: string
  version: string
  /** 150006 for 15.6. */
  versionNumber: number
  isStandby: boolean
  isReadOnly: boolean
  isFsyncOn: boolean
  synchronousCommit: string
  /** The setting; empty: no standby is synchronous. */
  standbyNames: string
  /** Synchronous ones that are connected; null: the user may not know. */
  standbys: number | null
  /** Of the database. */
  bytes: number
  /** Of all users. */
  connections: number
  /** How many more connections the user can open. */
  freeConnections: number
}

export async function readServer(query: Query): Promise<ServerFacts> {
  const [row] = await query<ServerFacts & QueryResultRow>(
    `SELECT current_user::text AS role, split_part(current_setting('server_version'), ' ', 1) AS version,
       current_setting('server_version_num')::int AS "versionNumber", pg_is_in_recovery() AS "isStandby",
       current_setting('transaction_read_only')::bool AS "isReadOnly", current_setting('fsync')::bool AS "isFsyncOn",
       current_setting('synchronous_commit') AS "synchronousCommit",
       current_setting('synchronous_standby_names') AS "standbyNames",
       CASE WHEN pg_has_role('pg_read_all_stats', 'USAGE')
         THEN (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')) END AS standbys,
       pg_database_size(current_database()) AS bytes, used AS connections,
       -- Limits of -1 are none, and least() ignores NULL.
       least(
         current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int - used,
         (SELECT nullif(rolconnlimit, -1) - (SELECT count(*) FROM pg_stat_activity WHERE usename = current_user)
          FROM pg_roles WHERE rolname = current_user),
         (SELECT nullif(datconnlimit, -1) - (SELECT numbackends FROM pg_stat_database WHERE datname = current_database())
          FROM pg_database WHERE datname = current_database())
       )::int AS "freeConnections"
     FROM (SELECT sum(numbackends)::int AS used FROM pg_stat_database) AS backends`,
  )
  return row!
}

export interface Rights {
  hasSchema: boolean
  /** The user may create tables, and the schema if there is none. */
  mayCreate: boolean
  /** The user owns all tables, and so may change them. */
  isOwner: boolean
  /** `UPDATE ON mercadito.world`: what the user needs and does not have. */
  lacking: string[]
}

export async function readRights(query: Query): Promise<Rights> {
  const [row] = await query<Rights & QueryResultRow>(
    `WITH schema AS (SELECT oid FROM pg_namespace WHERE nspname = 'mercadito'),
       object AS (SELECT oid, relowner, relkind, format('mercadito.%I', relname) AS name FROM pg_class
         WHERE relnamespace IN (SELECT oid FROM schema) AND relkind IN ('r', 'S')),
       needed AS (
         SELECT 'USAGE ON SCHEMA mercadito' AS one, has_schema_privilege(oid, 'USAGE') AS given FROM schema
         UNION ALL SELECT format('%s ON %s', privilege, name), has_table_privilege(oid, privilege)
           FROM object, unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) AS privilege WHERE relkind = 'r'
         UNION ALL SELECT format('%s ON SEQUENCE %s', privilege, name), has_sequence_privilege(oid, privilege)
           FROM object, unnest('{SELECT,USAGE}'::text[]) AS privilege WHERE relkind = 'S'
         UNION ALL SELECT format('EXECUTE ON FUNCTION mercadito.%I', proname), has_function_privilege(oid, 'EXECUTE')
           FROM pg_proc WHERE pronamespace IN (SELECT oid FROM schema))
     SELECT EXISTS (SELECT FROM schema) AS "hasSchema",
       coalesce((SELECT has_schema_privilege(oid, 'CREATE') FROM schema),
         has_database_privilege(current_database(), 'CREATE')) AS "mayCreate",
       (SELECT coalesce(bool_and(pg_has_role(relowner, 'USAGE')), true) FROM object) AS "isOwner",
       (SELECT coalesce(array_agg(one ORDER BY one), '{}') FROM needed WHERE NOT given) AS lacking`,
  )
  return row!
}

export interface ClockFacts {
  /** Ms that the clock of the database is ahead of that of this machine. */
  ahead: number
  /** Ms for the answer to a statement: half of it is the error of `ahead`. */
  roundTrip: number
}

/** The fastest of a few answers tells the time best. */
export async function compareClocks(query: Query): Promise<ClockFacts> {
  const results: ClockFacts[] = []
  while (results.length < 5) {
    const asked = performance.now()
    const [row] = await query<{ now: number }>(`SELECT ${MILLISECONDS}`)
    const roundTrip = performance.now() - asked
    results.push({ ahead: row!.now - (realNow() - roundTrip / 2), roundTrip })
  }
  return results.reduce((best, one) => (one.roundTrip < best.roundTrip ? one : best))
}
