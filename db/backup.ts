import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { copyFile, open, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { openDataFolder, renameAtomically } from './folders.ts'

/** It is no whole backup, or something is in its way. The message says which and what to do. */
export class BadBackup extends Error {}

export interface BackupFile {
  name: string
  bytes: number
  sha256: string
}

/** Written last: a backup without it is not whole. */
export interface Manifest {
  format: 1
  files: BackupFile[]
}

const MANIFEST = 'backup.json'
/** What belongs to the worlds of a data folder: their files, what SQLite keeps beside them, and the last number. */
const DATA_FILE_NAME = /^(world-\d+\..*sqlite(-wal)?|last-world)$/

/**
 * Makes a backup in a new folder, which `fill` writes the files to. Throws BadBackup when the folder is there already.
 */
export async function makeBackup(to: string, writeFiles: (to: string) => Promise<void>): Promise<Manifest> {
  if (existsSync(to)) throw new BadBackup(`${to} is there already; name a new folder`)
  mkdirSync(to, { mode: 0o700 })
  try {
    await writeFiles(to)
    const files: BackupFile[] = []
    for (const name of readdirSync(to).sort()) {
      await fsyncFile(join(to, name))
      files.push(await describeFile(to, name))
    }
    const manifest: Manifest = { format: 1, files }
    const tempFile = join(to, `${MANIFEST}.new`)
    await writeFile(tempFile, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true })
    renameAtomically(tempFile, join(to, MANIFEST), to, true)
    return manifest
  } catch (error) {
    rmSync(to, { recursive: true, force: true })
    throw error
  }
}

/** Copies a data folder that no process has; it stays as it is. Throws FolderInUse. `onFile` hears of each file. */
export async function copyDataFolder(from: string, to: string, onFile: (name: string) => void): Promise<void> {
  if (!existsSync(from)) throw new BadBackup(`${from} is no data folder; name one with --data`)
  const folder = openDataFolder(from)
  try {
    for (const name of readdirSync(from).filter((name) => DATA_FILE_NAME.test(name))) {
      onFile(name)
      await copyFile(join(from, name), join(to, name))
    }
  } finally {
    folder.release()
  }
}

/** The manifest of a backup, every file of which is as it says. Throws BadBackup. */
export async function verifyBackup(from: string, onFile: (name: string) => void = () => {}): Promise<Manifest> {
  const manifest = readManifest(from)
  for (const entry of manifest.files) {
    onFile(entry.name)
    if (!DATA_FILE_NAME.test(entry.name))
      throw new BadBackup(`${from} holds ${basename(entry.name)}, which is nothing of ours`)
    if (!existsSync(join(from, entry.name))) throw new BadBackup(`${from} lacks ${entry.name}; use another backup`)
    const { bytes, sha256 } = await describeFile(from, entry.name)
    if (bytes !== entry.bytes || sha256 !== entry.sha256)
      throw new BadBackup(`${entry.name} in ${from} is not as it was written; use another backup`)
  }
  return manifest
}

/**
 * Makes a data folder of a backup. `to` must be new or empty. Throws BadBackup; then nothing is there that was not
 * before.
 */
export async function restoreBackup(from: string, to: string, onFile: (name: string) => void): Promise<Manifest> {
  if (existsSync(to) && readdirSync(to).length > 0)
    throw new BadBackup(`${to} is not empty; name a new folder, or move that one away`)
  const manifest = await verifyBackup(from, onFile)
  const tempFolder = `${to}.part`
  rmSync(tempFolder, { recursive: true, force: true })
  mkdirSync(tempFolder, { recursive: true, mode: 0o700 })
  try {
    for (const { name } of manifest.files) {
      onFile(name)
      await copyFile(join(from, name), join(tempFolder, name))
      await fsyncFile(join(tempFolder, name))
    }
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
    if (manifest.format !== 1) throw new BadBackup(`${from} was made by a newer version of mercadito; use that one`)
    return manifest
  } catch (error) {
    if (error instanceof BadBackup) throw error
    throw new BadBackup(`${from} is no whole backup (no ${MANIFEST} that can be read); use another one`)
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
