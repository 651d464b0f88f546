import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { BadBackup, makeBackup, writtenBytes } from '../../db/backup.ts'
import { isDiskFull } from '../../db/disk.ts'
import type { Worlds } from '../../db/worlds.ts'
import { keepsState, StrictBody } from '../../domains/shared/control_schemas.ts'
import { errorResponses, ResponseObject } from '../../domains/shared/schemas.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import type { LongCalls } from './long_calls.ts'
import { config } from './server.ts'

const Backup = ResponseObject(
  {
    folder: Type.String({ description: 'Path', examples: ['/backups/monday'] }),
    files: Type.Integer({ description: 'Number of files' }),
    bytes: Type.Integer({ description: 'Size of all files in bytes' }),
  },
  { title: 'Backup', description: 'A backup' },
)

/** Backups of all worlds, each in a folder that another server can use. */
const backup: FastifyPluginAsyncTypebox<{ worlds: Worlds; longCalls: LongCalls }> = async (
  app,
  { worlds, longCalls },
) => {
  app.post(
    '/backup',
    {
      config: keepsState(config),
      schema: {
        summary: 'Back up all worlds',
        description:
          'Writes all worlds with their starts and snapshots to a new folder on the machine of the server; a manifest of checksums is written last. Requests are served meanwhile; writes to a world wait while its file is copied.',
        body: StrictBody({
          folder: Type.String({
            pattern: '^(/|[A-Za-z]:[\\\\/])[^\\u0000]*$',
            maxLength: 1000,
            description: 'Folder to create, in an existing folder',
            examples: ['/backups/monday'],
            'x-message': 'must be an absolute path',
          }),
        }),
        response: { 201: Backup, ...errorResponses(400, 404) },
      },
    },
    async ({ body: { folder } }, reply) => {
      try {
        const total = worlds.describe(worlds.ids()).reduce((sum, { bytes }) => sum + bytes, 0)
        const { files } = await longCalls.track(
          { operation: 'backup', world: null, unit: 'bytes', total, done: () => writtenBytes(folder) },
          () => makeBackup(folder, worlds.saveTo),
        )
        return reply
          .code(201)
          .send({ folder, files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) })
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        if (error instanceof BadBackup) throw badRequest(`folder: ${message}`)
        // System errors are caused by the folder in the request, so they are errors of the caller.
        if (code?.startsWith('E') && !isDiskFull(error as Error))
          throw badRequest(`folder: cannot be written (${code})`)
        throw error
      }
    },
  )
}
export default backup
