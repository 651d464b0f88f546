import { rename, rm } from 'node:fs/promises'
import { printable } from '../domains/shared/commands.ts'
import { CliError } from './errors.ts'

/** Creates or replaces a file. If `write` fails, an existing file stays as it is. Throws a CliError. */
export async function replaceFile(file: string, write: (tempFile: string) => Promise<unknown>): Promise<void> {
  const tempFile = `${file}.part`
  try {
    await write(tempFile)
    await rename(tempFile, file)
  } catch (error) {
    await rm(tempFile, { force: true })
    throw new CliError(
      `cannot write ${printable(file)} (${(error as Error).message.split(',')[0]}); choose another file`,
    )
  }
}
