import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { CliError } from '../lib/cli/errors.ts'
import type { ServerInfo } from './banner.ts'

/** A file that exists while the server is ready, with the line of `--ready-json`. Only its owner can read it. */
interface ReadyFile {
  write(info: ServerInfo): void
  remove(): void
}

/** Removes what a killed server left. The functions throw a CliError. */
export function openReadyFile(path: string): ReadyFile {
  const tempFile = `${path}.new`
  const attempt = (action: () => void) => {
    try {
      action()
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      throw new CliError(`cannot write ${path} (${code}); choose another file with --ready-file`)
    }
  }
  const remove = () =>
    attempt(() => {
      rmSync(tempFile, { force: true })
      rmSync(path, { force: true })
    })
  remove()
  return {
    // Renamed, so that a reader never finds a part of it.
    write: (info) =>
      attempt(() => {
        writeFileSync(tempFile, `${JSON.stringify(info)}\n`, { mode: 0o600, flag: 'wx' })
        renameSync(tempFile, path)
      }),
    remove,
  }
}
