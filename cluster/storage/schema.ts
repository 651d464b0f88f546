import type { QueryResultRow } from 'pg'
import about from '../../package.json' with { type: 'json' }
import type { Query } from './database.ts'

/** The tables were made by a version that this one is too old for. */
export class NewerSchema extends Error {}

/** There are no tables, or those of an older version. */
export class WrongTables extends Error {}

/**
 * The tables, in steps; released steps never change. Servers of the version before may still run while a step is applied,
 * unless it is listed in FIRST_COMPATIBLE.
 */
const STEPS = [
  `CREATE TABLE mercadito.node (
     id text PRIMARY KEY,
     url text,
     -- By the clock of the database, as all times.
     seen timestamptz NOT NULL DEFAULT clock_timestamp(),
     lease interval NOT NULL,
     -- The highest format of worlds that it can open.
     format int NOT NULL,
     dead boolean NOT NULL DEFAULT false
   );
   CREATE TABLE mercadito.state (
     id bigserial PRIMARY KEY,
     -- Null: a template. The present state of a world has no name.
     world int,
     name text,
     details text,
     -- The template whose chunks it has where it has none of its own.
     base bigint REFERENCES mercadito.state,
     created timestamptz NOT NULL DEFAULT clock_timestamp(),
     bytes bigint NOT NULL,
     -- The last log entry that its chunks contain.
     folded bigint NOT NULL DEFAULT 0,
     UNIQUE (world, name)
   );
   CREATE TABLE mercadito.world (
     id int PRIMARY KEY,
     state bigint NOT NULL REFERENCES mercadito.state,
     epoch bigint NOT NULL DEFAULT 0,
     seq bigint NOT NULL DEFAULT 0,
     -- A node that owns worlds cannot be deleted, and one that was deleted cannot claim.
     holder text REFERENCES mercadito.node,
     format int NOT NULL,
     record text
   );
   CREATE TABLE mercadito.chunk (
     state bigint REFERENCES mercadito.state ON DELETE CASCADE,
     n int,
     -- Of the bytes before compression.
     hash bytea NOT NULL,
     bytes bytea NOT NULL,
     PRIMARY KEY (state, n)
   );
   CREATE TABLE mercadito.log (
     state bigint REFERENCES mercadito.state ON DELETE CASCADE,
     seq bigint,
     bytes bytea NOT NULL,
     PRIMARY KEY (state, seq)
   );
   -- Compressed already, or small.
   ALTER TABLE mercadito.chunk ALTER bytes SET STORAGE EXTERNAL;
   ALTER TABLE mercadito.log ALTER bytes SET STORAGE EXTERNAL;
   -- World 1 is the default world.
   CREATE SEQUENCE mercadito.world_number START 2;`,
  `-- With this key nodes sign the requests that they send to each other.
   CREATE TABLE mercadito.cluster (key bytea NOT NULL);
   -- 244 random bits, of PostgreSQL's source for secrets.
   INSERT INTO mercadito.cluster
     VALUES (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));`,
  `-- Stores a log entry unless the world has another epoch or entry by now; true if it was stored. A function, because its
   -- statements are planned once for each connection: half of what an entry costs otherwise.
   CREATE FUNCTION mercadito.append(of_world int, of_epoch bigint, next bigint, entry bytea) RETURNS boolean
   LANGUAGE plpgsql AS $$
   DECLARE
     present bigint;
   BEGIN
     UPDATE mercadito.world SET seq = next WHERE id = of_world AND epoch = of_epoch AND seq = next - 1
       RETURNING state INTO present;
     IF NOT FOUND THEN
       RETURN false;
     END IF;
     INSERT INTO mercadito.log (state, seq, bytes) VALUES (present, next, entry);
     RETURN true;
   END
   $$;`,
]
/** The oldest version of the tables whose servers can use these. */
const FIRST_COMPATIBLE = 1

export interface TablesVersion {
  version: number
  /** The oldest version of the tables whose programs can use these. */
  compatible: number
  /** The version of mercadito that made them. */
  program: string
}

/** Of this program. */
export const TABLES_VERSION: TablesVersion = {
  version: STEPS.length,
  compatible: FIRST_COMPATIBLE,
  program: about.version,
}

/** Undefined if there are no tables yet. */
export async function readTablesVersion(query: Query): Promise<TablesVersion | undefined> {
  const [table] = await query("SELECT FROM pg_tables WHERE schemaname = 'mercadito' AND tablename = 'version'")
  if (!table) return undefined
  const [row] = await query<TablesVersion & QueryResultRow>('SELECT * FROM mercadito.version')
  return row
}

/** Throws WrongTables where this program cannot read the tables as they are. */
export async function checkTables(query: Query): Promise<void> {
  const found = await readTablesVersion(query)
  if (!found) throw new WrongTables('no server has used the database yet')
  rejectNewer(found)
  if (found.version < TABLES_VERSION.version)
    throw new WrongTables(
      `the tables were made by mercadito ${found.program}; use that version, or start a server of this one, which migrates them`,
    )
}

function rejectNewer({ compatible, program }: TablesVersion): void {
  if (compatible > TABLES_VERSION.version)
    throw new NewerSchema(
      `the database was used by a newer version of mercadito; start version ${program} or a later one`,
    )
}

/** Creates the tables, or adds what they lack. Needs no right to do so where they lack nothing. Throws NewerSchema. */
export async function migrateTables(query: Query): Promise<void> {
  const found = await readTablesVersion(query)
  if (found) rejectNewer(found)
  if (found && found.version >= TABLES_VERSION.version) return
  // Creating what exists needs the right to create it.
  const [schema] = await query("SELECT FROM pg_namespace WHERE nspname = 'mercadito'")
  if (!schema) await untilNotConcurrent(() => query('CREATE SCHEMA IF NOT EXISTS mercadito'))
  await untilNotConcurrent(() =>
    query(
      'CREATE TABLE IF NOT EXISTS mercadito.version (version int NOT NULL, compatible int NOT NULL, program text NOT NULL)',
    ),
  )
  await query('BEGIN')
  try {
    // Other nodes that start now wait here.
    await query('LOCK TABLE mercadito.version')
    const latest = await readTablesVersion(query)
    if (latest) rejectNewer(latest)
    const version = latest?.version ?? 0
    for (const step of STEPS.slice(version)) await query(step)
    if (version < STEPS.length) {
      await query('DELETE FROM mercadito.version')
      await query('INSERT INTO mercadito.version VALUES ($1, $2, $3)', [STEPS.length, FIRST_COMPATIBLE, about.version])
    }
    await query('COMMIT')
  } catch (error) {
    await query('ROLLBACK').catch(() => {})
    throw error
  }
}

/** unique_violation, duplicate_object, duplicate_schema, duplicate_table. */
const EXISTS_CODES = ['23505', '42710', '42P06', '42P07']

/** PostgreSQL's IF NOT EXISTS fails where another connection creates the same at that moment. */
async function untilNotConcurrent(create: () => Promise<unknown>): Promise<void> {
  try {
    await create()
  } catch (error) {
    if (!EXISTS_CODES.includes((error as { code?: string }).code ?? '')) throw error
    await create()
  }
}
