import { FolderInUse } from '../db/folders.ts'
import { BrokenFile, NewerFile } from '../db/migrate.ts'
import { CliError, EXIT } from './errors.ts'

interface StartOptions {
  host: string
  port: number
  data?: string | undefined
}

/** What the system and SQLite say of a folder or disk that takes nothing. */
const UNWRITABLE_CODES = new Set(
  'EACCES EPERM EROFS ENOSPC EDQUOT ENOTDIR EEXIST EISDIR ENAMETOOLONG ELOOP EIO SQLITE_CANTOPEN SQLITE_READONLY SQLITE_FULL SQLITE_IOERR'.split(
    ' ',
  ),
)

/** Why a server cannot start, in one line that says what to do next, with an exit code of its own. */
export function toStartError(error: NodeJS.ErrnoException, { host, port, data }: StartOptions): Error {
  if (error instanceof CliError) return error
  const { code = '', message, syscall } = error
  if (syscall === 'listen' || syscall === 'getaddrinfo') return toAddressError(code, host, port) ?? error
  if (error instanceof FolderInUse) return new CliError(`${message}; stop that one, or name another folder`, EXIT.inUse)
  if (error instanceof NewerFile)
    return new CliError(`${message}; start that version, or name another folder`, EXIT.newerVersion)
  if (error instanceof BrokenFile)
    return new CliError(
      `${message}; put a backup in the folder’s place with \`mercadito backup restore\`, or name another folder`,
      EXIT.damagedFile,
    )
  // Extended codes of SQLite begin with the plain one: SQLITE_IOERR_WRITE.
  if (UNWRITABLE_CODES.has(code) || UNWRITABLE_CODES.has(code.split('_', 2).join('_')))
    return new CliError(
      data === undefined
        ? `the folder for temporary worlds cannot be written (${code}); name another with TMPDIR`
        : `${data} cannot be written (${code}); see that it is a folder of yours on a disk with room, or name another with --data`,
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
    return new CliError(`port ${port} needs more rights; choose one above 1023 with --port`, EXIT.addressUnavailable)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new CliError(
      `${host} is no address of this machine; name one of its own with --host`,
      EXIT.addressUnavailable,
    )
  return undefined
}
