import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { BadBackup, type OnFile, restoreBackup } from '../../db/backup.ts'
import { createTemporaryFolder } from '../../db/folders.ts'
import { BrokenFile, migrationCount, NewerFile, toBrokenFile } from '../../db/migrate.ts'
import { readLastNumber, type StateKey, WorldFiles } from '../../db/worlds/files.ts'
import { recoverWorlds } from '../../db/worlds/recovery.ts'
import type { Database, Query } from './database.ts'
import { SNAPSHOT, START } from './directory.ts'
import { migrateTables } from './schema.ts'
import { insertState, type StateOwner } from './states.ts'
import { Templates } from './templates.ts'

/** The database has worlds already. */
export class HasWorlds extends Error {}

/** Of snapshots that have no description. */
const NO_DETAILS = '{}'

interface RestoreOptions {
  /** The backup. */
  from: string
  /** A folder in which copies of its files are made. */
  temporaryRoot: string
  /** Called with the bytes of each file that was read, copied or stored. */
  onFile: OnFile
}

interface Restored {
  worlds: number
  /** Of their files. */
  bytes: number
}

/**
 * Stores the worlds of a backup in a database that has none: all of them, or nothing. Rejects with BadBackup,
 * HasWorlds, NewerSchema, DatabaseUnavailable.
 */
export async function restoreWorlds(
  database: Database,
  { from, temporaryRoot, onFile }: RestoreOptions,
): Promise<Restored> {
  await database.withConnection(migrateTables)
  await rejectWorlds(database.query)
  const temp = createTemporaryFolder(temporaryRoot)
  try {
    const files = new WorldFiles(join(temp.path, 'worlds'), false)
    await restoreBackup(from, files.folder, onFile)
    const worlds = recoverCopies(files, from)
    const bytes = await database.transaction(async (query) => {
      // A server that starts now waits here, and finds the default world.
      await query('LOCK TABLE mercadito.world IN SHARE ROW EXCLUSIVE MODE')
      await rejectWorlds(query)
      return storeWorlds(query, worlds, files, onFile)
    })
    return { worlds: worlds.length, bytes }
  } finally {
    temp.release()
  }
}

async function rejectWorlds(query: Query): Promise<void> {
  const [row] = await query<{ count: number }>('SELECT count(*) FROM mercadito.world')
  const { count } = row!
  if (count > 0) throw new HasWorlds(`the database already has ${count === 1 ? 'a world' : `${count} worlds`}`)
}

/** Migrates and checks the copies of a backup. Throws BadBackup. */
function recoverCopies(files: WorldFiles, from: string): StateKey[] {
  try {
    const worlds = recoverWorlds(files.folder)
    for (const { file } of worlds.flatMap((key) => statesOf(key, files))) checkDatabase(file)
    return worlds
  } catch (error) {
    const message = (error as Error).message.replace(files.folder, from)
    if (error instanceof NewerFile) throw new BadBackup(`${message}; use that version`)
    if (error instanceof BrokenFile) throw new BadBackup(`${message}; use another backup`)
    throw error
  }
}

/** Throws BrokenFile. */
function checkDatabase(file: string): void {
  const db = new Sqlite(file)
  try {
    if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') throw new BrokenFile(`${file} is damaged`)
  } catch (error) {
    throw toBrokenFile(error, file)
  } finally {
    db.close()
  }
}

/** Resolves with the bytes of all files. */
async function storeWorlds(query: Query, worlds: StateKey[], files: WorldFiles, onFile: OnFile): Promise<number> {
  let bytes = 0
  const templates = new Templates({ query, transaction: (run) => run(query) })
  for (const { owner, file } of worlds.flatMap((key) => statesOf(key, files))) {
    const newState = await templates.for(file)
    const state = await insertState(query, owner, newState)
    if (owner.name === null)
      await query('INSERT INTO mercadito.world (id, state, format) VALUES ($1, $2, $3)', [
        owner.world,
        state,
        migrationCount(),
      ])
    bytes += newState.file.size
    onFile(newState.file.size)
  }
  const last = Math.max(1, readLastNumber(files.folder), ...worlds.map(({ id }) => id))
  await query(`SELECT setval('mercadito.world_number', $1)`, [last])
  return bytes
}

/** The database files of a world. */
function statesOf(key: StateKey, files: WorldFiles): { owner: StateOwner; file: string }[] {
  const { id: world } = key
  const start = files.start(world)
  return [
    { owner: { world, name: null }, file: files.state(key) },
    ...(existsSync(start) ? [{ owner: { world, name: START }, file: start }] : []),
    ...files.snapshotNames(world).map((name) => ({
      owner: { world, name: SNAPSHOT + name, details: readDetails(files.snapshotDescription(world, name)) },
      file: files.snapshot(world, name),
    })),
  ]
}

const readDetails = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : NO_DETAILS)
