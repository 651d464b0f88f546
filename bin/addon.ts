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
import { CliError } from '../lib/cli/errors.ts'

// Replaces better-sqlite3's search for its addon in a single executable (tools/executable/bundle.ts): the addon is an
// asset of the executable, but systems load libraries from files only.

/** The name of the asset and of the file, with its SHA-256. The build defines it. */
declare const ADDON: string

let loaded: unknown

/** The addon of better-sqlite3. Throws a CliError if no folder can store it. */
export function getBinding(): unknown {
  loaded ??= load(candidateFolders())
  return loaded
}

/** The folders that may store the addon, in order of preference. */
function candidateFolders(): string[] {
  const { env, platform } = process
  const userCache =
    platform === 'win32' ? env.LOCALAPPDATA : platform === 'darwin' ? belowHome('Library/Caches') : belowHome('.cache')
  const configuredCache = env.XDG_CACHE_HOME
  return [
    ...[configuredCache && isAbsolute(configuredCache) ? configuredCache : undefined, userCache]
      .filter((one) => one !== undefined)
      .map((one) => join(one, 'mercadito')),
    join(tmpdir(), `mercadito-cache-${process.getuid?.() ?? 'own'}`),
  ]
}

/** Undefined if HOME belongs to another user, as with sudo. */
function belowHome(folder: string): string | undefined {
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
      // The file system of the folder may be mounted noexec.
      const { code, message } = error as NodeJS.ErrnoException
      reasons.push(`${folder} (${code && code !== 'ERR_DLOPEN_FAILED' ? code : message})`)
    }
  throw new CliError(
    `the library of the database cannot be loaded from any of these folders: ${reasons.join('; ')}; choose another with XDG_CACHE_HOME`,
  )
}

/** Returns the path of the addon in this folder; writes it if it is missing. Throws if the folder cannot be trusted. */
function writeAddon(folder: string): string {
  // One folder at a time: Node's recursive mkdir never returns on file systems that reject folders, such as /proc.
  makeFolder(dirname(folder))
  makeFolder(folder)
  const stats = lstatSync(folder)
  // Another user who can write here could replace the library.
  if (!stats.isDirectory() || !isOwnedExclusively(stats)) throw new Error('writable by other users')
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

/** Whether the file has the bytes of the asset; its name is no proof. */
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

/** Only this user may write to it. Windows separates the folders of users itself. */
const isOwnedExclusively = ({ uid, mode }: Stats): boolean =>
  !process.getuid || (uid === process.getuid() && (mode & 0o022) === 0)
