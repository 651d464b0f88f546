import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { printable } from '../domains/shared/commands.ts'
import { CliError } from '../lib/cli/errors.ts'

/** Creates or replaces a file. If `write` fails, an existing file stays as it is. Throws a CliError. */
export async function replaceFile<T>(file: string, write: (tempFile: string) => Promise<T>): Promise<T> {
  // A new file, so that this call replaces and removes none that it has not made.
  const tempFile = `${file}.part-${randomUUID()}`
  try {
    const result = await write(tempFile)
    await rename(tempFile, file)
    return result
  } catch (error) {
    await rm(tempFile, { force: true })
    if (error instanceof CliError) throw error
    throw new CliError(
      `cannot write ${printable(file)} (${(error as Error).message.split(',')[0]}); choose another file`,
    )
  }
}
