import { createHash } from 'node:crypto'
import {
  chownSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { copyFile, open } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { createFolder, openDataFolder, writeFileAtomically } from './folders.ts'
import { isBackedUp } from './worlds/files.ts'

/** A backup that is incomplete, or a target that is in use. The message says what to do. */
export class BadBackup extends Error {}

interface BackupFile {
  name: string
  bytes: number
  sha256: string
}

/** Written last: a backup without it is incomplete. */
export interface Manifest {
  format: 1
  files: BackupFile[]
}

const MANIFEST = 'backup.json'

/** Receives the bytes of a file that was copied or read. */
export type OnFile = (bytes: number) => void

/** Creates a backup in a new folder with the files that `writeFiles` writes. Throws BadBackup if the folder exists. */
export async function makeBackup(to: string, writeFiles: (to: string) => Promise<void>): Promise<Manifest> {
  if (existsSync(to)) throw new BadBackup(`${to} already exists; name a new folder`)
  mkdirSync(to, { mode: 0o700 })
  try {
    await writeFiles(to)
    const files: BackupFile[] = []
    for (const name of readdirSync(to).sort()) {
      await fsyncFile(join(to, name))
      files.push(await describeFile(to, name))
    }
    const manifest: Manifest = { format: 1, files }
    writeFileAtomically(join(to, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, to, true)
    return manifest
  } catch (error) {
    rmSync(to, { recursive: true, force: true })
    throw error
  }
}

/** The bytes that a backup in progress has written. */
export const writtenBytes = (folder: string): number =>
  readdirSync(folder).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )

/** Copies the files of a data folder that no process uses; calls `onFile` after each. Throws FolderInUse, BadBackup. */
export async function copyDataFolder(from: string, to: string, onFile: OnFile): Promise<void> {
  if (!existsSync(from)) throw new BadBackup(`${from} is not a data folder; name one with --data`)
  const folder = openDataFolder(from)
  try {
    for (const name of readdirSync(from).filter(isBackedUp)) {
      await copyFile(join(from, name), join(to, name))
      onFile(statSync(join(to, name)).size)
    }
  } finally {
    folder.release()
  }
}

/** Checks sizes and checksums of all files. Returns the manifest. Throws BadBackup. */
export async function verifyBackup(from: string, onFile: OnFile = () => {}): Promise<Manifest> {
  const manifest = readManifest(from)
  for (const entry of manifest.files) {
    if (!isBackedUp(entry.name))
      throw new BadBackup(`${from} contains ${basename(entry.name)}, which is not a file of mercadito`)
    if (!existsSync(join(from, entry.name))) throw new BadBackup(`${from} has no ${entry.name}; use another backup`)
    const { bytes, sha256 } = await describeFile(from, entry.name)
    if (bytes !== entry.bytes || sha256 !== entry.sha256)
      throw new BadBackup(`${entry.name} in ${from} has changed since the backup; use another backup`)
    onFile(bytes)
  }
  return manifest
}

/** User and group that restored files belong to. */
export interface Owner {
  uid: number
  gid: number
}

/** Copies a backup to a new or empty data folder. Throws BadBackup, and then leaves nothing behind. */
export async function restoreBackup(from: string, to: string, onFile: OnFile, owner?: Owner): Promise<Manifest> {
  if (existsSync(to) && readdirSync(to).length > 0)
    throw new BadBackup(`${to} is not empty; name a new folder, or move that one`)
  const manifest = await verifyBackup(from, onFile)
  createFolder(dirname(resolve(to)))
  // A new folder, so that this call removes nothing that it has not made.
  const tempFolder = mkdtempSync(`${resolve(to)}.part-`)
  try {
    for (const { name, bytes } of manifest.files) {
      await copyFile(join(from, name), join(tempFolder, name))
      if (owner) chownSync(join(tempFolder, name), owner.uid, owner.gid)
      await fsyncFile(join(tempFolder, name))
      onFile(bytes)
    }
    if (owner) chownSync(tempFolder, owner.uid, owner.gid)
    renameSync(tempFolder, to)
    return manifest
  } catch (error) {
    rmSync(tempFolder, { recursive: true, force: true })
    throw error
  }
}

function readManifest(from: string): Manifest {
  try {
    const manifest = JSON.parse(readFileSync(join(from, MANIFEST), 'utf8')) as Manifest
    if (manifest.format !== 1) throw new BadBackup(`${from} was made by a newer version of mercadito; use that version`)
    return manifest
  } catch (error) {
    if (error instanceof BadBackup) throw error
    throw new BadBackup(`${from} is not a complete backup (no readable ${MANIFEST}); use another one`)
  }
}

async function describeFile(folder: string, name: string): Promise<BackupFile> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(join(folder, name))) {
    hash.update(chunk)
    bytes += (chunk as Buffer).length
  }
  return { name, bytes, sha256: hash.digest('hex') }
}

async function fsyncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
