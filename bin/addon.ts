import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { readAsset } from '../db/assets.ts'
import { CliError } from './errors.ts'

// Takes the place of better-sqlite3's own search for its addon in a single executable (tools/executable/bundle.ts): the
// addon is inside, and the system loads libraries from files only.

/** The asset, and the file that it becomes; its SHA-256 is part of the name. The build writes it here. */
declare const ADDON: string

let loaded: unknown

/** The addon of better-sqlite3. Throws a Failure when no folder can hold it. */
export function getBinding(): unknown {
  loaded ??= load(candidateFolders())
  return loaded
}

/** Where it may lie, the best first. */
function candidateFolders(): string[] {
  const { env, platform } = process
  const userCache =
    platform === 'win32' ? env.LOCALAPPDATA : platform === 'darwin' ? underHome('Library/Caches') : underHome('.cache')
  const configuredCache = env.XDG_CACHE_HOME
  return [
    ...[configuredCache && isAbsolute(configuredCache) ? configuredCache : undefined, userCache]
      .filter((one) => one !== undefined)
      .map((one) => join(one, 'mercadito')),
    join(tmpdir(), `mercadito-cache-${process.getuid?.() ?? 'own'}`),
  ]
}

/** With sudo, HOME may be somebody else's: nothing of ours is left there. */
function underHome(folder: string): string | undefined {
  const { HOME } = process.env
  if (!HOME || !isAbsolute(HOME)) return undefined
  try {
    return statSync(HOME).uid === process.getuid?.() ? join(HOME, folder) : undefined
  } catch {
    return undefined
  }
}

function load(folders: string[]): unknown {
  const reasons: string[] = []
  for (const folder of folders)
    try {
      const module = { exports: {} }
      process.dlopen(module, writeAddon(folder))
      return module.exports
    } catch (error) {
      // A folder may also be one that nothing is run from.
      const { code, message } = error as NodeJS.ErrnoException
      reasons.push(`${folder} (${code && code !== 'ERR_DLOPEN_FAILED' ? code : message})`)
    }
  throw new CliError(
    `the database's library must lie in a folder of yours to be loaded, and none would do: ${reasons.join('; ')}; name another with XDG_CACHE_HOME`,
  )
}

/**
 * Answers the path of the addon in this folder, written there if it is not yet. Throws when the folder cannot be
 * trusted.
 */
function writeAddon(folder: string): string {
  // One by one: Node's own way to make all never ends where a file system, such as /proc, takes no folders.
  makeFolder(dirname(folder))
  makeFolder(folder)
  const stats = lstatSync(folder)
  // Whoever else could write here could have us run anything.
  if (!stats.isDirectory() || !isOwnedExclusively(stats)) throw new Error('not ours alone')
  const path = join(folder, ADDON)
  const bytes = readAsset(ADDON)
  if (isUpToDate(path, bytes)) return path
  const tempFile = join(folder, `${ADDON}.${process.pid}-${process.hrtime.bigint()}`)
  try {
    writeFileSync(tempFile, bytes, { mode: 0o500, flag: 'wx' })
    renameSync(tempFile, path)
  } catch (error) {
    rmSync(tempFile, { force: true })
    throw error
  }
  return path
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' && !existsSync(folder)) throw error
  }
}

/** Whether the file is what we would write: the bytes themselves are compared, the name proves nothing. */
function isUpToDate(path: string, bytes: Buffer): boolean {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  } catch {
    return false
  }
  try {
    const stats = fstatSync(file)
    return (
      stats.isFile() && isOwnedExclusively(stats) && stats.size === bytes.length && readFileSync(file).equals(bytes)
    )
  } finally {
    closeSync(file)
  }
}

/** It belongs to this user, and nobody else may write to it. Windows keeps the folders of users apart by itself. */
const isOwnedExclusively = ({ uid, mode }: Stats): boolean =>
  !process.getuid || (uid === process.getuid() && (mode & 0o022) === 0)
