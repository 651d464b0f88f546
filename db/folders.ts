import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

/** Another process holds the folder. */
export class FolderInUse extends Error {}

export interface Folder {
  path: string
  release(): void
}

const PREFIX = 'mercadito-world-'
const LOCK = 'lock'

/** A data folder that is kept; made when missing. Throws FolderInUse while another process has it. */
export function keptFolder(path: string): Folder {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const lock = lockOf(path)
  if (!lock) throw new FolderInUse(`${path} is in use by another mercadito`)
  return { path, release: () => lock.close() }
}

/** A folder of this process alone, gone with it; what dead processes left behind is swept first. */
export function temporaryFolder(parent: string): Folder {
  for (const name of readdirSync(parent)) if (name.startsWith(PREFIX)) sweep(join(parent, name))
  // Locked under another name first: a neighbour's sweep must never see it unlocked.
  const made = mkdtempSync(join(parent, `new-${PREFIX}`))
  const lock = lockOf(made)!
  const path = join(parent, PREFIX + made.slice(made.lastIndexOf('-') + 1))
  renameSync(made, path)
  const release = () => {
    lock.close()
    rmSync(path, { recursive: true, force: true })
  }
  return { path, release }
}

/** Removes a folder that was ours and that nobody holds any more; what has no lock was never ours. */
function sweep(path: string): void {
  if (!existsSync(join(path, LOCK))) return
  try {
    const lock = lockOf(path)
    if (!lock) return
    lock.close()
    rmSync(path, { recursive: true, force: true })
  } catch {
    // Another user's folder: not ours to sweep.
  }
}

/** An operating-system lock, through SQLite: it ends with the process, however that ends, and knows no stale ids. */
function lockOf(path: string): Sqlite.Database | undefined {
  const lock = new Sqlite(join(path, LOCK), { timeout: 0 })
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return undefined
    throw error
  }
}

/** Makes a finished file appear under its name, whole or not at all; `durable` also against a power cut. */
export function settle(from: string, to: string, folder: string, durable: boolean): void {
  if (durable) sync(from)
  renameSync(from, to)
  if (durable) sync(folder)
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
