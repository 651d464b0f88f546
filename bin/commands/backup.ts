import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Manifest, OnFile, Owner } from '../../db/backup.ts'
import { defineCommand, printable, type Setting } from '../../domains/shared/commands.ts'
import { CliError, EXIT } from '../errors.ts'
import { formatMegabytes, readServerProgress, withProgress } from '../progress.ts'

interface Backup {
  folder: string
  files: number
  bytes: number
}

const SOURCE_FLAG: Setting = {
  flags: '--data <folder>',
  description: 'back up this data folder, which no server uses; default: the running server makes the backup',
}
const TARGET_FLAG: Setting = {
  flags: '--data <folder>',
  description: 'the data folder to create; an existing one must be empty',
}

const toSummary = (folder: string, { files }: Manifest): Backup => ({
  folder,
  files: files.length,
  bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
})
const formatSize = ({ files, bytes }: Backup) => `${files} files, ${formatMegabytes(bytes)}`

type Files = typeof import('../../db/backup.ts')

/** Shows the progress on a terminal; converts errors to one line. */
async function withFileProgress(
  label: string,
  work: (files: Files, onFile: OnFile) => Promise<Backup>,
): Promise<Backup> {
  // Lazy: commands that only call a server need no SQLite.
  const [files, { FolderInUse }] = await Promise.all([import('../../db/backup.ts'), import('../../db/folders.ts')])
  try {
    return await withProgress(label, async ({ update }) => {
      let copied = 0
      return work(files, (bytes) => {
        copied += bytes
        update(copied)
      })
    })
  } catch (error) {
    if (error instanceof FolderInUse)
      throw new CliError(`${error.message}; leave out --data, so that the server makes the backup`, EXIT.inUse)
    if (error instanceof files.BadBackup) throw new CliError(printable(error.message))
    const { code } = error as NodeJS.ErrnoException
    throw code ? new CliError(`cannot copy the files (${code}); check folders, permissions and disk space`) : error
  }
}

/** If root restores: the owner of the empty folder, else of the backup, because the server runs as that user. */
function restoredOwner(from: string, to: string): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  return statSync(to, { throwIfNoEntry: false }) ?? statSync(from, { throwIfNoEntry: false })
}

export const backupCommands = [
  defineCommand<Backup>({
    name: 'backup create',
    description: 'Back up all worlds with their snapshots, while the server runs',
    args: [['<folder>', 'folder to create, on the machine of the server']],
    flags: [SOURCE_FLAG],
    impliedBy: /./,
    examples: ['backup ./backups/monday', 'backup ./backups/monday --data ./market'],
    run({ client, args: [name], flags: { data } }) {
      const folder = resolve(name)
      if (data === undefined)
        return withProgress(
          'backup',
          async ({ update }) => {
            const backup: Backup = await client.server.call('POST /backup', { folder })
            update(backup.bytes)
            return backup
          },
          { read: readServerProgress(client, 'backup') },
        )
      return withFileProgress('backup', async ({ makeBackup, copyDataFolder: copyIdle }, onFile) =>
        toSummary(folder, await makeBackup(folder, (to) => copyIdle(resolve(data), to, onFile))),
      )
    },
    format: (backup) => `backed up all worlds to ${printable(backup.folder)}: ${formatSize(backup)}`,
  }),
  defineCommand<Backup>({
    name: 'backup verify',
    description: 'Check that a backup is complete and unchanged',
    args: [['<folder>', 'the backup']],
    examples: ['backup verify ./backups/monday'],
    run: ({ args: [from] }) =>
      withFileProgress('backup verify', async ({ verifyBackup }, onFile) =>
        toSummary(resolve(from), await verifyBackup(resolve(from), onFile)),
      ),
    format: (backup) => `${printable(backup.folder)} is complete: ${formatSize(backup)}`,
  }),
  defineCommand<Backup>({
    name: 'backup restore',
    description: 'Create a data folder from a backup',
    args: [['<folder>', 'the backup']],
    flags: [TARGET_FLAG],
    examples: ['backup restore ./backups/monday --data ./market'],
    async run({ args: [from], flags: { data } }) {
      if (data === undefined) throw new CliError('set the folder to create with --data', EXIT.usage)
      return withFileProgress('backup restore', async ({ restoreBackup }, onFile) =>
        toSummary(
          resolve(data),
          await restoreBackup(resolve(from), resolve(data), onFile, restoredOwner(resolve(from), resolve(data))),
        ),
      )
    },
    format: ({ folder, ...rest }) =>
      `created ${printable(folder)}: ${formatSize({ folder, ...rest })}; start it with \`mercadito start --data ${printable(folder)}\``,
  }),
]
