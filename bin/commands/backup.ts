import { resolve } from 'node:path'
import type { Manifest } from '../../db/backup.ts'
import { defineCommand } from '../command.ts'
import { CliError, EXIT } from '../errors.ts'
import { formatMegabytes } from '../input.ts'
import { printable, progress, withProgress } from '../output.ts'
import type { Setting } from '../settings.ts'

interface Backup {
  folder: string
  files: number
  bytes: number
}

const SOURCE_FLAG: Setting = {
  flags: '--data <folder>',
  description: 'of this data folder, which no server has; without it the server that runs makes the backup',
}
const TARGET_FLAG: Setting = {
  flags: '--data <folder>',
  description: 'the data folder to make, which is not there or empty',
}

const toSummary = (folder: string, { files }: Manifest): Backup => ({
  folder,
  files: files.length,
  bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
})
const formatSize = ({ files, bytes }: Backup) => `${files} files, ${formatMegabytes(bytes)}`

type Files = typeof import('../../db/backup.ts')

/** Shows each file on a terminal; what is wrong with a backup is a failure, in one line. */
async function withFileProgress<A>(
  label: string,
  work: (files: Files, onFile: (name: string) => void) => Promise<A>,
): Promise<A> {
  // Loaded late: commands that only call a server need no SQLite.
  const [files, { FolderInUse }] = await Promise.all([import('../../db/backup.ts'), import('../../db/folders.ts')])
  const { show, done } = progress()
  try {
    return await work(files, (name) => show(`${label} ${name}`))
  } catch (error) {
    if (error instanceof FolderInUse)
      throw new CliError(`${error.message}; leave out --data, so that the server makes the backup`, EXIT.inUse)
    if (error instanceof files.BadBackup) throw new CliError(printable(error.message))
    const { code } = error as NodeJS.ErrnoException
    throw code ? new CliError(`the files cannot be copied (${code}); see folders, rights and room on the disk`) : error
  } finally {
    done()
  }
}

export const backupCommands = [
  defineCommand<Backup>({
    name: 'backup create',
    description: 'Back up all worlds with their snapshots, while the server runs',
    args: [['<folder>', 'where to, on the machine of the server; not there yet']],
    flags: [SOURCE_FLAG],
    isDefault: true,
    examples: ['backup ./backups/monday', 'backup ./backups/monday --data ./market'],
    run({ client, args: [name], flags: { data } }) {
      const folder = resolve(name)
      if (data === undefined) return withProgress('backing up', client.server.call('POST /backup', { folder }))
      return withFileProgress('copying', async ({ makeBackup, copyDataFolder: copyIdle }, onFile) =>
        toSummary(folder, await makeBackup(folder, (to) => copyIdle(resolve(data), to, onFile))),
      )
    },
    format: (backup) => `${printable(backup.folder)} has all worlds: ${formatSize(backup)}`,
  }),
  defineCommand<Backup>({
    name: 'backup verify',
    description: 'See whether a backup is whole and as it was written',
    args: [['<folder>', 'the backup']],
    examples: ['backup verify ./backups/monday'],
    run: ({ args: [from] }) =>
      withFileProgress('reading', async ({ verifyBackup }, onFile) =>
        toSummary(resolve(from), await verifyBackup(resolve(from), onFile)),
      ),
    format: (backup) => `${printable(backup.folder)} is whole: ${formatSize(backup)}`,
  }),
  defineCommand<Backup>({
    name: 'backup restore',
    description: 'Make a data folder of a backup',
    args: [['<folder>', 'the backup']],
    flags: [TARGET_FLAG],
    examples: ['backup restore ./backups/monday --data ./market'],
    async run({ args: [from], flags: { data } }) {
      if (data === undefined) throw new CliError('name with --data the folder to make', EXIT.usage)
      return withFileProgress('copying', async ({ restoreBackup }, onFile) =>
        toSummary(resolve(data), await restoreBackup(resolve(from), resolve(data), onFile)),
      )
    },
    format: ({ folder, ...rest }) =>
      `${printable(folder)} is made: ${formatSize({ folder, ...rest })}; start it with \`mercadito start --data ${printable(folder)}\``,
  }),
]
