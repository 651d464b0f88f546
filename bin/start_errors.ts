import { FolderInUse } from '../db/folders.ts'
import { BrokenFile, NewerFile } from '../db/migrate.ts'
import { CliError, EXIT } from './errors.ts'

interface StartOptions {
  host: string
  port: number
  data?: string | undefined
}

/** Errors of the system and of SQLite if a folder or disk cannot be written. */
const UNWRITABLE_CODES = new Set(
  'EACCES EPERM EROFS ENOSPC EDQUOT ENOTDIR EEXIST EISDIR ENAMETOOLONG ELOOP EIO SQLITE_CANTOPEN SQLITE_READONLY SQLITE_FULL SQLITE_IOERR'.split(
    ' ',
  ),
)

/** Converts an error of a start to one line with its cause and a remedy, and its exit code. */
export function toStartError(error: NodeJS.ErrnoException, { host, port, data }: StartOptions): Error {
  if (error instanceof CliError) return error
  const { code = '', message, syscall } = error
  if (syscall === 'listen' || syscall === 'getaddrinfo') return toAddressError(code, host, port) ?? error
  if (error instanceof FolderInUse)
    return new CliError(`${message}; stop that process, or choose another folder`, EXIT.inUse)
  if (error instanceof NewerFile)
    return new CliError(`${message}; use that version, or choose another folder`, EXIT.newerVersion)
  if (error instanceof BrokenFile)
    return new CliError(
      `${message}; replace the folder by a backup with \`mercadito backup restore\`, or choose another folder`,
      EXIT.damagedFile,
    )
  // Extended codes of SQLite begin with the plain one: SQLITE_IOERR_WRITE.
  if (UNWRITABLE_CODES.has(code) || UNWRITABLE_CODES.has(code.split('_', 2).join('_')))
    return new CliError(
      data === undefined
        ? `cannot write to the folder for temporary worlds (${code}); choose another with TMPDIR`
        : `cannot write to ${data} (${code}); check that it is a writable folder and that the disk is not full, or choose another with --data`,
      EXIT.folderUnusable,
    )
  return error
}

function toAddressError(code: string, host: string, port: number): CliError | undefined {
  if (code === 'EADDRINUSE')
    return new CliError(
      `port ${port} is in use; choose another with --port, or --port 0 for a free one`,
      EXIT.addressUnavailable,
    )
  if (code === 'EACCES')
    return new CliError(`no permission to use port ${port}; choose one above 1023 with --port`, EXIT.addressUnavailable)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new CliError(`${host} is not an address of this machine; choose one with --host`, EXIT.addressUnavailable)
  return undefined
}
