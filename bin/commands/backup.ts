import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { RestoredDatabase } from '../../cluster/commands/index.ts'
import type { Manifest, OnFile, Owner } from '../../db/backup.ts'
import { defineCommand, printable, type Setting } from '../../domains/shared/commands.ts'
import { CliError, EXIT, usageError } from '../../lib/cli/errors.ts'
import { formatMegabytes, readServerProgress, withProgress } from '../../lib/cli/progress.ts'
import type { Schemas } from '../../lib/operations.ts'
import { temporaryRoot } from '../../lib/temporary_root.ts'
import { useDatabase } from '../database.ts'
import { database as DATABASE } from '../settings.ts'

type Backup = Schemas['Backup']

const SOURCE_FLAGS: Setting[] = [
  {
    flags: '--data <folder>',
    description: 'back up this data folder, which no server uses; default: the running server makes the backup',
    conflicts: ['database'],
  },
  { ...DATABASE, description: 'back up the worlds of this PostgreSQL database, without a server' },
]
const TARGET_FLAGS: Setting[] = [
  {
    flags: '--data <folder>',
    description: 'the data folder to create; an existing one must be empty',
    conflicts: ['database'],
  },
  { ...DATABASE, description: 'the PostgreSQL database to fill, which must have no worlds' },
]
const toSummary = (folder: string, { files }: Manifest): Backup => ({
  folder,
  files: files.length,
  bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
})
const formatSize = ({ files, bytes }: Backup) => `${files} files, ${formatMegabytes(bytes)}`

type Files = typeof import('../../db/backup.ts')

/** Shows the progress on a terminal; converts errors to one line. */
async function withFileProgress<Result>(
  label: string,
  work: (files: Files, onFile: OnFile) => Promise<Result>,
): Promise<Result> {
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
    if (error instanceof CliError) throw error
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
    flags: SOURCE_FLAGS,
    impliedBy: /./,
    examples: ['backup ./backups/monday', 'backup ./backups/monday --data ./market'],
    run({ client, args: [name], flags: { data, database } }) {
      const folder = resolve(name)
      if (database !== undefined)
        return withFileProgress('backup', (_, onFile) =>
          useDatabase(database, async ({ backUpDatabase }, url) =>
            toSummary(folder, await backUpDatabase(url, folder, onFile)),
          ),
        )
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
  defineCommand<Backup | RestoredDatabase>({
    name: 'backup restore',
    description: 'Create a data folder from a backup, or fill a database with it',
    args: [['<folder>', 'the backup']],
    flags: TARGET_FLAGS,
    examples: [
      'backup restore ./backups/monday --data ./market',
      'backup restore ./backups/monday --database postgres://mercadito@db/mercadito',
    ],
    async run({ args: [name], flags: { data, database } }) {
      const from = resolve(name)
      if (database !== undefined)
        return withFileProgress('backup restore', (_, onFile) =>
          useDatabase(database, ({ restoreDatabase }, url) => restoreDatabase(url, from, temporaryRoot(), onFile)),
        )
      if (data === undefined)
        throw usageError('set the folder to create with --data, or the database to fill with --database')
      const folder = resolve(data)
      return withFileProgress('backup restore', async ({ restoreBackup }, onFile) =>
        toSummary(folder, await restoreBackup(from, folder, onFile, restoredOwner(from, folder))),
      )
    },
    format: (restored) =>
      'database' in restored
        ? `filled ${printable(restored.database)}: ${restored.worlds} ${restored.worlds === 1 ? 'world' : 'worlds'}, ${formatMegabytes(restored.bytes)}; start servers with --database`
        : `created ${printable(restored.folder)}: ${formatSize(restored)}; start it with \`mercadito start --data ${printable(restored.folder)}\``,
  }),
]
