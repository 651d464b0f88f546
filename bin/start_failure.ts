import { FolderInUse } from '../db/folders.ts'
import { BrokenFile, NewerFile } from '../db/migrate.ts'
import { EXIT, Failure } from './failure.ts'

interface Asked {
  host: string
  port: number
  data?: string | undefined
}

/** What the system and SQLite say of a folder or disk that takes nothing. */
const UNWRITABLE = new Set(
  'EACCES EPERM EROFS ENOSPC EDQUOT ENOTDIR EEXIST EISDIR ENAMETOOLONG ELOOP EIO SQLITE_CANTOPEN SQLITE_READONLY SQLITE_FULL SQLITE_IOERR'.split(
    ' ',
  ),
)

/** Why a server cannot start, in one line that says what to do next, with an exit code of its own. */
export function startFailure(error: NodeJS.ErrnoException, { host, port, data }: Asked): Error {
  if (error instanceof Failure) return error
  const { code = '', message, syscall } = error
  if (syscall === 'listen' || syscall === 'getaddrinfo') return ofAddress(code, host, port) ?? error
  if (error instanceof FolderInUse) return new Failure(`${message}; stop that one, or name another folder`, EXIT.inUse)
  if (error instanceof NewerFile)
    return new Failure(`${message}; start that version, or name another folder`, EXIT.newer)
  if (error instanceof BrokenFile)
    return new Failure(
      `${message}; put a backup in the folder’s place with \`mercadito backup restore\`, or name another folder`,
      EXIT.broken,
    )
  // Extended codes of SQLite begin with the plain one: SQLITE_IOERR_WRITE.
  if (UNWRITABLE.has(code) || UNWRITABLE.has(code.split('_', 2).join('_')))
    return new Failure(
      data === undefined
        ? `the folder for temporary worlds cannot be written (${code}); name another with TMPDIR`
        : `${data} cannot be written (${code}); see that it is a folder of yours on a disk with room, or name another with --data`,
      EXIT.folder,
    )
  return error
}

function ofAddress(code: string, host: string, port: number): Failure | undefined {
  if (code === 'EADDRINUSE')
    return new Failure(`port ${port} is in use; choose another with --port, or --port 0 for a free one`, EXIT.address)
  if (code === 'EACCES')
    return new Failure(`port ${port} needs more rights; choose one above 1023 with --port`, EXIT.address)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new Failure(`${host} is no address of this machine; name one of its own with --host`, EXIT.address)
  return undefined
}
