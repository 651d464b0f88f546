import { resolve } from 'node:path'
import type { Manifest } from '../../db/backup.ts'
import { command } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'
import { busy, progress, visible } from '../output.ts'
import { megabytes } from '../reading.ts'
import type { Setting } from '../settings.ts'

interface Backup {
  folder: string
  files: number
  bytes: number
}

const FROM: Setting = {
  flags: '--data <folder>',
  about: 'of this data folder, which no server has; without it the server that runs makes the backup',
}
const INTO: Setting = { flags: '--data <folder>', about: 'the data folder to make, which is not there or empty' }

const told = (folder: string, { files }: Manifest): Backup => ({
  folder,
  files: files.length,
  bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
})
const size = ({ files, bytes }: Backup) => `${files} files, ${megabytes(bytes)}`

type Files = typeof import('../../db/backup.ts')

/** Shows each file on a terminal; what is wrong with a backup is a failure, in one line. */
async function byFile<A>(
  doing: string,
  work: (files: Files, onFile: (name: string) => void) => Promise<A>,
): Promise<A> {
  // Loaded late: commands that only call a server need no SQLite.
  const [files, { FolderInUse }] = await Promise.all([import('../../db/backup.ts'), import('../../db/folders.ts')])
  const { show, done } = progress()
  try {
    return await work(files, (name) => show(`${doing} ${name}`))
  } catch (error) {
    if (error instanceof FolderInUse)
      throw new Failure(`${error.message}; leave out --data, so that the server makes the backup`, EXIT.inUse)
    if (error instanceof files.BadBackup) throw new Failure(visible(error.message))
    const { code } = error as NodeJS.ErrnoException
    throw code ? new Failure(`the files cannot be copied (${code}); see folders, rights and room on the disk`) : error
  } finally {
    done()
  }
}

export const backupCommands = [
  command<Backup>({
    words: 'backup create',
    about: 'Back up all worlds with their snapshots, while the server runs',
    args: [['<folder>', 'where to, on the machine of the server; not there yet']],
    flags: [FROM],
    byDefault: true,
    examples: ['backup ./backups/monday', 'backup ./backups/monday --data ./market'],
    run({ client, args: [name], flags: { data } }) {
      const folder = resolve(name)
      if (data === undefined) return busy('backing up', client.server.call('POST /backup', { folder }))
      return byFile('copying', async ({ makeBackup, copyDataFolder: copyIdle }, onFile) =>
        told(folder, await makeBackup(folder, (to) => copyIdle(resolve(data), to, onFile))),
      )
    },
    show: (backup) => `${visible(backup.folder)} has all worlds: ${size(backup)}`,
  }),
  command<Backup>({
    words: 'backup verify',
    about: 'See whether a backup is whole and as it was written',
    args: [['<folder>', 'the backup']],
    examples: ['backup verify ./backups/monday'],
    run: ({ args: [from] }) =>
      byFile('reading', async ({ verifyBackup }, onFile) =>
        told(resolve(from), await verifyBackup(resolve(from), onFile)),
      ),
    show: (backup) => `${visible(backup.folder)} is whole: ${size(backup)}`,
  }),
  command<Backup>({
    words: 'backup restore',
    about: 'Make a data folder of a backup',
    args: [['<folder>', 'the backup']],
    flags: [INTO],
    examples: ['backup restore ./backups/monday --data ./market'],
    async run({ args: [from], flags: { data } }) {
      if (data === undefined) throw new Failure('name with --data the folder to make', EXIT.usage)
      return byFile('copying', async ({ restoreBackup }, onFile) =>
        told(resolve(data), await restoreBackup(resolve(from), resolve(data), onFile)),
      )
    },
    show: ({ folder, ...rest }) =>
      `${visible(folder)} is made: ${size({ folder, ...rest })}; start it with \`mercadito start --data ${visible(folder)}\``,
  }),
]
