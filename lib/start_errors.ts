import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { FolderInUse } from '../db/folders.ts'
import { BrokenFile, NewerFile } from '../db/migrate.ts'
import { CliError, EXIT } from './cli/errors.ts'

/** How a caller writes the options that an error names. */
export interface OptionNames {
  port: string
  freePort: string
  host: string
  data: string
}

interface StartOptions {
  host: string
  port: number
  data?: string | undefined
}

/** What keeps a server from starting; the names are those of exit codes. */
interface StartProblem {
  kind: 'addressUnavailable' | 'folderUnusable' | 'inUse' | 'newerVersion' | 'damagedFile'
  /** One line: what is wrong, and what to do. */
  message: string
}

/** Errors of the system and of SQLite if a folder or disk cannot be written. */
const UNWRITABLE_CODES = new Set(
  'EACCES EPERM EROFS ENOSPC EDQUOT ENOENT ENOTDIR EEXIST EISDIR ENAMETOOLONG ELOOP EIO SQLITE_CANTOPEN SQLITE_READONLY SQLITE_FULL SQLITE_IOERR'.split(
    ' ',
  ),
)

/** Explains an error of the start; undefined for unexpected ones. */
export function explainStartError(
  error: NodeJS.ErrnoException,
  { host, port, data }: StartOptions,
  names: OptionNames,
): StartProblem | undefined {
  const { code = '', message, syscall } = error
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    const explained = explainAddressError(code, host, port, names)
    return explained === undefined ? undefined : { kind: 'addressUnavailable', message: explained }
  }
  if (error instanceof FolderInUse)
    return { kind: 'inUse', message: `${message}; stop that process, or choose another folder` }
  if (error instanceof NewerFile)
    return { kind: 'newerVersion', message: `${message}; use that version, or choose another folder` }
  if (error instanceof BrokenFile)
    return {
      kind: 'damagedFile',
      message: `${message}; replace the folder by a backup with \`mercadito backup restore\`, or choose another folder`,
    }
  // Extended codes of SQLite begin with the plain one: SQLITE_IOERR_WRITE.
  if (UNWRITABLE_CODES.has(code) || UNWRITABLE_CODES.has(code.split('_', 2).join('_')))
    return {
      kind: 'folderUnusable',
      message:
        data === undefined
          ? `cannot write to the folder for temporary worlds (${code}); choose another with TMPDIR`
          : (explainOwner(data, code, names) ??
            `cannot write to ${data} (${code}); check that it is a writable folder and that the disk is not full, or choose another with ${names.data}`),
    }
  return undefined
}

/** Names a data file that another user owns, such as root, who started the server or restored a backup before. */
function explainOwner(data: string, code: string, names: OptionNames): string | undefined {
  const uid = process.getuid?.()
  if (uid === undefined || !/^(EACCES|EPERM|SQLITE_(CANTOPEN|READONLY).*)$/.test(code)) return undefined
  const ownerOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.uid ?? uid
  const isOwn = ownerOf(data) === uid && statSync(data, { throwIfNoEntry: false })?.isDirectory()
  const files = isOwn ? readdirSync(data).map((name) => join(data, name)) : []
  const foreign = [data, ...files].find((path) => ownerOf(path) !== uid)
  if (foreign === undefined) return undefined
  const owner = ownerOf(foreign) === 0 ? 'root' : `user ${ownerOf(foreign)}`
  return `cannot write to ${data} (${code}): ${foreign} belongs to ${owner}; change its owner, or choose another folder with ${names.data}`
}

function explainAddressError(code: string, host: string, port: number, names: OptionNames): string | undefined {
  if (code === 'EADDRINUSE')
    return `port ${port} is in use; choose another with ${names.port}, or ${names.freePort} for a free one`
  if (code === 'EACCES') return `no permission to use port ${port}; choose one above 1023 with ${names.port}`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${host} is not an address of this machine; choose one with ${names.host}`
  return undefined
}

const FLAGS: OptionNames = { port: '--port', freePort: '--port 0', host: '--host', data: '--data' }

/** Converts an error of a start to one line with its cause and a remedy, and its exit code. */
export async function toStartError(
  error: NodeJS.ErrnoException,
  options: { host: string; port: number; data?: string | undefined },
): Promise<Error> {
  if (error instanceof CliError) return error
  if (error.syscall === 'listen' && error.code === 'EADDRINUSE') {
    const { findMercadito } = await import('./cli/port_owner.ts')
    const owner = await findMercadito(options.host, options.port)
    if (owner !== undefined)
      return new CliError(
        `port ${options.port} is in use by mercadito: ${owner}; use that server, or choose another port with --port, or --port 0 for a free one`,
        EXIT.addressUnavailable,
      )
  }
  const problem = explainStartError(error, options, FLAGS)
  return problem ? new CliError(problem.message, EXIT[problem.kind]) : error
}
