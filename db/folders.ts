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
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { toBrokenFile } from './migrate.ts'

/** Another process holds the folder. */
export class FolderInUse extends Error {}

export interface Folder {
  path: string
  release(): void
}

const WORLD_PREFIX = 'mercadito-world-'
/** Folders on their way out. */
const TRASH_PREFIX = 'mercadito-dead-'
const LOCK_FILE = 'mercadito.lock'

/** A data folder that is kept; made when missing. Throws FolderInUse while another process has it. */
export function openDataFolder(path: string): Folder {
  const created = mkdirSync(path, { recursive: true, mode: 0o700 })
  // A new folder must outlive a power cut as well as what is written into it.
  if (created) syncUpTo(path, dirname(created))
  const lock = tryLock(path, 0)
  if (!lock) throw new FolderInUse(`${path} is in use by another mercadito`)
  return { path, release: () => lock.close() }
}

/** A folder of this process alone, gone with it; what dead processes left behind is swept first. */
export function createTemporaryFolder(parent: string): Folder {
  // One at a time: a neighbour's sweep must not find a new folder before it is locked.
  const parentLock = tryLock(parent, 10_000)
  if (!parentLock) throw new FolderInUse(`${parent} is held by another mercadito that does not let go`)
  try {
    for (const name of readdirSync(parent)) if (name.startsWith(WORLD_PREFIX)) moveToTrash(parent, name)
    const path = mkdtempSync(join(parent, WORLD_PREFIX))
    const lock = tryLock(path, 0)!
    const release = () => {
      lock.close()
      rmSync(path, { recursive: true, force: true })
    }
    return { path, release }
  } finally {
    parentLock.close()
    // After everybody's turn: thousands of worlds take their time.
    for (const name of readdirSync(parent)) if (name.startsWith(TRASH_PREFIX)) removeTrash(join(parent, name))
  }
}

/** Puts aside a folder that was ours and that nobody holds any more; what has no lock was never ours. */
function moveToTrash(parent: string, name: string): void {
  const path = join(parent, name)
  if (!existsSync(join(path, LOCK_FILE))) return
  try {
    const lock = tryLock(path, 0)
    if (!lock) return
    lock.close()
    renameSync(path, join(parent, TRASH_PREFIX + name.slice(WORLD_PREFIX.length)))
  } catch {
    // Another user's folder: not ours to sweep.
  }
}

function removeTrash(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // A neighbour is at it, or it is another user's.
  }
}

/**
 * An operating-system lock, through SQLite: it ends with the process, however that ends, and knows no stale ids.
 * `patience`: ms.
 */
function tryLock(path: string, timeoutMs: number): Sqlite.Database | undefined {
  const file = join(path, LOCK_FILE)
  const lock = new Sqlite(file, { timeout: timeoutMs })
  try {
    // The open transaction is the lock. In SQLite's exclusive mode two that wait would each keep what the other waits for.
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return undefined
    throw toBrokenFile(error, file)
  }
}

/** Makes a finished file appear under its name, whole or not at all; `durable` also against a power cut. */
export function renameAtomically(from: string, to: string, folder: string, durable: boolean): void {
  if (durable) sync(from, 'r+')
  renameSync(from, to)
  if (durable) syncFolder(folder)
}

function sync(path: string, flags: string): void {
  const descriptor = openSync(path, flags)
  fsyncSync(descriptor)
  closeSync(descriptor)
}

function syncUpTo(path: string, top: string): void {
  syncFolder(path)
  if (path !== top && path !== dirname(path)) syncUpTo(dirname(path), top)
}

function syncFolder(path: string): void {
  try {
    sync(path, 'r')
  } catch (error) {
    // Windows opens no folders, and needs no such call.
    if (!['EPERM', 'EISDIR'].includes((error as { code?: string }).code ?? '')) throw error
  }
}
