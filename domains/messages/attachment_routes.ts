import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { acceptUploads, fileOfBody, uploadBody } from '../../http/uploads.ts'
import { errorResponses } from '../shared/schemas.ts'
import { isSite } from '../users/sites.ts'
import { READ_ATTACHMENT, UPLOAD_ATTACHMENT } from './checks.ts'
import {
  attachmentNotFound,
  fileIsEmpty,
  filenameTooLong,
  fileTooLarge,
  invalidFilename,
  invalidFileType,
  siteRequired,
  unknownSite,
} from './errors.ts'
import { attach, isGone } from './operations.ts'
import { attachmentById, bytesOf, hasReceived } from './queries.ts'
import { AttachmentParams, AttachmentQuery, Messages, Uploaded } from './schemas.ts'

/** Megabytes of one file [spec: messages.attachments.size]. */
const MAX_MEGABYTES = 5
const MAX_BYTES = MAX_MEGABYTES * 1024 * 1024
const MAX_NAME_LENGTH = 200
const TYPES: Record<string, string> = {
  ...{ jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', pdf: 'application/pdf', txt: 'text/plain' },
}

const BYTES = { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) }

/** The file of an upload. Throws 400 for none, or for its name, type or size. */
function readFile(files: unknown) {
  const file = fileOfBody(files)
  if (!file || file.bytes === 0) throw fileIsEmpty()
  const { filename, content } = file
  if (/[/\\]/.test(filename)) throw invalidFilename()
  if ([...filename].length > MAX_NAME_LENGTH) throw filenameTooLong(MAX_NAME_LENGTH)
  const extension = /\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
  const type = Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined
  if (type === undefined) throw invalidFileType()
  if (!content) throw fileTooLarge(MAX_MEGABYTES)
  return { filename: filename.toWellFormed(), extension, type, bytes: content }
}

const uploads: FastifyPluginAsyncTypebox = async (app) => {
  acceptUploads(app, { keep: MAX_BYTES })
  app.post(
    '/messages/attachments',
    {
      config: { resource: Messages, access: 'token', checks: UPLOAD_ATTACHMENT, upload: true },
      schema: {
        operationId: 'uploadAttachment',
        summary: 'Upload a file to send it',
        description: `A jpg, png, pdf or txt of at most ${MAX_MEGABYTES} MB. It is deleted if no message refers to it within 48 hours.`,
        querystring: AttachmentQuery,
        body: uploadBody('The file'),
        response: { 201: Uploaded, ...errorResponses(400, 401, 413, 507) },
      },
    },
    async ({ world, caller: { user_id }, query: { site_id }, body }, reply) => {
      if (!site_id) throw siteRequired()
      if (!isSite(site_id)) throw unknownSite(site_id)
      const file = readFile(body)
      reply.code(201)
      return { id: await world.tx((q) => attach(q, world, { user_id, ...file })) }
    },
  )
}

const attachments: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(uploads)

  app.get(
    '/messages/attachments/:attachment_id',
    {
      config: { resource: Messages, access: 'token', checks: READ_ATTACHMENT },
      schema: {
        operationId: 'readAttachment',
        summary: 'Download a file that was uploaded, or received in a message',
        params: AttachmentParams,
        querystring: AttachmentQuery,
        response: {
          200: {
            description: 'Its bytes',
            content: Object.fromEntries(Object.values(TYPES).map((type) => [type, BYTES])),
          },
          ...errorResponses(401, 404),
        },
      },
    },
    async ({ world, caller: { user_id }, params: { attachment_id: id } }, reply) => {
      const row = await attachmentById(world.read, id)
      if (!row || isGone(row, world.clock.now())) throw attachmentNotFound(id)
      if (row.user_id !== user_id && !(await hasReceived(world.read, id, user_id))) throw attachmentNotFound(id)
      // A browser must not show it: it is of the origin of the console [spec: http.inert].
      reply.header('content-disposition', `attachment; filename="${id}"`)
      return reply.type(row.type).send(await bytesOf(world.read, id))
    },
  )
}
export default attachments
