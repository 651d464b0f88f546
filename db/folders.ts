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
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { toBrokenFile } from './migrate.ts'

/** Another process has locked the folder. */
export class FolderInUse extends Error {}

export interface Folder {
  path: string
  release(): void
}

const WORLD_PREFIX = 'mercadito-world-'
/** Folders that are being removed. */
const TRASH_PREFIX = 'mercadito-dead-'
const LOCK_FILE = 'mercadito.lock'

/** Locks a data folder, which is created if missing. Throws FolderInUse, BrokenFile. */
export function openDataFolder(path: string): Folder {
  const created = createFolder(path)
  // A new folder must survive a power cut, as do the files in it.
  if (created) syncUpTo(path, dirname(created))
  const lock = tryLock(path, 0)
  if (!lock) throw new FolderInUse(`${path} is in use by another mercadito`)
  return { path, release: () => lock.close() }
}

/**
 * Creates a folder and its parents. Returns the first one that it created. `mkdirSync` with `recursive` never returns where
 * the system reports a missing parent for ever, as in /proc.
 */
export function createFolder(path: string): string | undefined {
  if (existsSync(path) && statSync(path).isDirectory()) return undefined
  const parent = dirname(path)
  const created = existsSync(parent) ? undefined : createFolder(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
  return created ?? path
}

/** Creates a folder that is removed on release. First removes those of processes that have ended. Throws FolderInUse. */
export function createTemporaryFolder(parent: string): Folder {
  // One process at a time: another must not find the new folder before it is locked.
  const parentLock = tryLock(parent, 10_000)
  if (!parentLock) throw new FolderInUse(`${parent} is locked by another mercadito for too long`)
  try {
    for (const name of readdirSync(parent)) if (name.startsWith(WORLD_PREFIX)) discardIfUnused(join(parent, name))
    const path = mkdtempSync(join(parent, WORLD_PREFIX))
    const lock = tryLock(path, 0)!
    const release = () => {
      lock.close()
      removeTrash(moveToTrash(path))
    }
    return { path, release }
  } finally {
    parentLock.close()
    // Outside the lock, because removing thousands of worlds takes long.
    for (const name of readdirSync(parent)) if (name.startsWith(TRASH_PREFIX)) removeTrash(join(parent, name))
  }
}

/** Discards a folder whose process has ended. One without a lock file is not from mercadito. */
function discardIfUnused(path: string): void {
  if (!existsSync(join(path, LOCK_FILE))) return
  try {
    const lock = tryLock(path, 0)
    if (!lock) return
    lock.close()
    moveToTrash(path)
  } catch {
    // It belongs to another user, or its process is removing it.
  }
}

/**
 * Renames a folder before it is removed: a starting process that looks for unused folders would otherwise create
 * the lock file again while the folder is being emptied. Returns the new path.
 */
function moveToTrash(path: string): string {
  const trash = join(dirname(path), TRASH_PREFIX + basename(path).slice(WORLD_PREFIX.length))
  try {
    renameSync(path, trash)
  } catch {
    // Another process has renamed it. On Windows: another has its lock file open, and will find it again.
  }
  return trash
}

function removeTrash(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // Another process is removing it, or it belongs to another user.
  }
}

/**
 * Takes an operating-system lock, by means of SQLite; it ends with the process, also after a crash. Undefined when
 * another process has it for `timeoutMs`. Throws BrokenFile.
 */
function tryLock(path: string, timeoutMs: number): Sqlite.Database | undefined {
  const file = join(path, LOCK_FILE)
  const lock = new Sqlite(file, { timeout: timeoutMs })
  try {
    // The open transaction is the lock. Two processes waiting in `locking_mode = EXCLUSIVE` would deadlock.
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return undefined
    throw toBrokenFile(error, file)
  }
}

/** Renames a complete file within `folder`; with `durable` the result survives a power cut. */
export function renameAtomically(from: string, to: string, folder: string, durable: boolean): void {
  if (durable) sync(from, 'r+')
  renameSync(from, to)
  if (durable) syncFolder(folder)
}

/** Writes a small file within `folder`, whole or not at all; with `durable` it survives a power cut. */
export function writeFileAtomically(file: string, text: string, folder: string, durable: boolean): void {
  const tempFile = `${file}.new`
  writeFileSync(tempFile, text)
  renameAtomically(tempFile, file, folder, durable)
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
    // Windows cannot open folders, and needs no such call.
    if (!['EPERM', 'EISDIR'].includes((error as { code?: string }).code ?? '')) throw error
  }
}
