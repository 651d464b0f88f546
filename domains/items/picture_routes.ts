import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { World } from '../../db/world.ts'
import { NO_CHECKS } from '../../http/errors/checks.ts'
import { apiError, badRequest } from '../../http/errors/errors.ts'
import { acceptUploads, fileOfBody, uploadBody } from '../../http/uploads.ts'
import { errorResponses } from '../shared/schemas.ts'
import { shape } from '../shared/shape.ts'
import { userById } from '../users/queries.ts'
import { READ_PICTURE, UPLOAD_PICTURE } from './checks.ts'
import { hasPicture, newPicture } from './part_operations.ts'
import { addressOf } from './present.ts'
import { pictureNotFound } from './validation.ts'

const Pictures = { name: 'Pictures', description: 'Pictures of listings', id: 'picture_id' }

/** Bytes of one picture [spec: items.pictures.size]. */
const MAX_PICTURE_BYTES = 10 * 1024 * 1024

/** The forms of a picture; all have invented sizes, because nothing is looked at. */
const FORMS = [
  ['F', '1200x1200'],
  ['O', '500x500'],
  ['I', '90x90'],
] as const

const PICTURE = '600001-MLA80000000001_032026'
const address = `http2.example.com/D_${PICTURE}-O.jpg`

const UploadedPicture = shape(
  {
    id: PICTURE,
    max_size: '1200x1200',
    variations: [{ size: '500x500', url: `http://${address}`, secure_url: `https://${address}` }],
  },
  { title: 'UploadedPicture', description: 'A new picture', notes: { variations: 'Its forms' } },
)

const PictureParams = Type.Object({ picture_id: Type.String({ description: 'Picture identifier' }) })
const state = { id: PICTURE, status: 'ACTIVE' }
const PictureState = shape(state, { title: 'PictureState', description: 'State of a picture, always ACTIVE' })
const PictureErrors = shape(
  { ...state, errors: [] },
  { title: 'PictureErrors', description: 'What is wrong with a picture: nothing' },
)

/** Stores a picture of the caller. */
async function uploadPicture(world: World, caller: number) {
  const { site_id } = (await userById(world.read, caller))!
  const id = await world.tx((q) => newPicture(q, world, { id: caller, site_id }))
  const variations = FORMS.map(([form, size]) => {
    const url = addressOf(id, form)
    return { size, url, secure_url: url.replace('http:', 'https:') }
  })
  return { id, max_size: FORMS[0][1], variations }
}

const IMAGES = [Buffer.from([0xff, 0xd8, 0xff]), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])]

/** Throws a 400 if there is no file, if it is too large, or not an image [spec: items.pictures.upload]. */
function checkImage(files: unknown): void {
  const file = fileOfBody(files)
  if (!file) throw badRequest('items.pictures.file', 'file: must be a file in a body of type multipart/form-data')
  if (file.bytes > MAX_PICTURE_BYTES)
    throw badRequest('items.pictures.size', `The file must have at most ${MAX_PICTURE_BYTES} bytes`)
  if (!IMAGES.some((start) => file.head.subarray(0, start.length).equals(start)))
    throw apiError('items.pictures.image', 400, undefined, 'The file is not an image')
}

const uploads: FastifyPluginAsyncTypebox = async (app) => {
  acceptUploads(app)
  app.post(
    '/pictures/items/upload',
    {
      config: { resource: Pictures, access: 'token', checks: UPLOAD_PICTURE, upload: true },
      schema: {
        operationId: 'uploadPicture',
        summary: 'Upload a picture',
        description: 'A JPG or PNG of at most 10 MB. Only its first bytes are looked at, and nothing of it is kept.',
        body: uploadBody('The picture'),
        response: { 201: UploadedPicture, ...errorResponses(400, 401, 413) },
      },
    },
    async ({ world, caller, body }, reply) => {
      checkImage(body)
      return reply.code(201).send(await uploadPicture(world, caller.user_id))
    },
  )
}

const pictures: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(uploads)

  app.post(
    '/pictures',
    {
      config: { resource: Pictures, access: 'token', checks: NO_CHECKS },
      schema: {
        summary: 'Create a picture from an address',
        description: 'The address is not read.',
        body: Type.Object(
          {
            source: Type.String({
              minLength: 1,
              maxLength: 2000,
              description: 'Address of a picture',
              'x-message': 'must be a string of 1 to 2000 characters',
            }),
          },
          { 'x-message': 'must be a JSON object', examples: [{ source: 'https://example.com/mate.jpg' }] },
        ),
        response: { 201: UploadedPicture, ...errorResponses(400, 401, 413) },
      },
    },
    async ({ world, caller }, reply) => reply.code(201).send(await uploadPicture(world, caller.user_id)),
  )

  const readable = async (world: World, caller: number, id: string) => {
    if (!(await hasPicture(world.read, caller, id))) throw pictureNotFound(id)
    return { id, status: 'ACTIVE' }
  }
  app.get(
    '/pictures/:picture_id',
    {
      config: { resource: Pictures, access: 'token', checks: READ_PICTURE },
      schema: {
        summary: 'Read the state of a picture of the caller',
        params: PictureParams,
        response: { 200: PictureState, ...errorResponses(401, 404) },
      },
    },
    ({ world, caller, params: { picture_id } }) => readable(world, caller.user_id, picture_id),
  )

  app.get(
    '/pictures/:picture_id/errors',
    {
      config: { resource: Pictures, access: 'token', checks: READ_PICTURE },
      schema: {
        summary: 'Read what is wrong with a picture of the caller',
        params: PictureParams,
        response: { 200: PictureErrors, ...errorResponses(401, 404) },
      },
    },
    async ({ world, caller, params: { picture_id } }) => ({
      ...(await readable(world, caller.user_id, picture_id)),
      errors: [],
    }),
  )
}
export default pictures
