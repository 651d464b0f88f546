import { type TSchema, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyPluginAsync, RouteOptions } from 'fastify'
import { derived } from '../../db/ids.ts'
import { badRequest, missingToken } from '../../http/errors/errors.ts'
import { acceptUploads, type UploadedFile, uploadBody } from '../../http/uploads.ts'
import { Limit, Offset } from '../shared/paging.ts'
import { namesOf, type Read, readSchema } from '../shared/reads.ts'
import { errorResponses } from '../shared/schemas.ts'
import { shape } from '../shared/shape.ts'
import { ANYONES, absent, CHECKS, OWN, refused, subjectOf, VALUES } from './subjects.ts'
import { FISCAL_DOCUMENTS, SAMPLE, TYPED, type TypedRow } from './table.ts'

/** What OPTIONS and the documents say of them all. */
const resource = {
  name: 'Answers without state',
  description:
    'Calls that are not emulated: the answer has the right members, but no call changes it, and it changes none',
}
const NO_STATE =
  'This answer has no state: it is empty or constant, and repeats what the caller and its listings are. A stub replaces it.'

const PagingQuery = Type.Object({ limit: Limit(1000), offset: Offset })

/** The options of the route of a row, with the checks and errors that follow from its path. */
function routeOf([call, summary, answer, { isPublic, ofAnyone, headers = {} } = {}]: TypedRow, method: string) {
  const url = call.slice(call.indexOf(' ') + 1)
  const kinds = namesOf(url).flatMap((name) => (ofAnyone ? ANYONES : OWN)[name] ?? [])
  const refusal = answer === absent ? CHECKS.absent : answer === refused ? CHECKS.refused : undefined
  const checks = [...kinds.flatMap((kind) => kind.checks), ...(refusal ? [refusal] : [])]
  const sample = refusal ? undefined : (answer(SAMPLE) as object)
  const query = sample && ('paging' in sample || 'offset' in sample) ? PagingQuery : undefined
  const params = Object.assign({}, ...kinds.map((kind) => kind.params))
  return {
    ...{ method, url },
    config: {
      ...{ resource, access: isPublic ? 'public' : 'token', typed: true },
      checks: { order: 'http.order', checks, values: VALUES },
    },
    schema: readSchema({ summary, description: NO_STATE, url, checks, params, query, answer: sample && shape(sample) }),
    // Its token was not checked: a stub of the world might have answered [spec: fallback.stubs].
    preValidation: async ({ caller }) => {
      if (!isPublic && !caller) throw missingToken()
    },
    async handler(request, reply) {
      const subject = await subjectOf(request as Read, kinds)
      if (refusal) throw answer(subject)
      return reply.headers(headers).send(answer(subject))
    },
  } satisfies RouteOptions as RouteOptions
}

/** An uploaded invoice: the file is read, but nothing of it is kept [spec: fallback.fiscal_documents]. */
function addFiscalDocuments(app: FastifyInstance): void {
  acceptUploads(app)
  const { schema = {}, config, ...route } = routeOf(FISCAL_DOCUMENTS, 'POST')
  const { 200: created, ...errors } = schema.response as Record<number, TSchema>
  const { checks } = config!
  app.route({
    ...route,
    config: { ...config!, upload: true, checks: { ...checks!, checks: [...checks!.checks, CHECKS.file] } },
    schema: {
      ...schema,
      body: uploadBody('The invoice; its part may have any name'),
      response: { 201: created, ...errors, ...errorResponses(400, 413) },
    },
    async handler(request, reply) {
      await subjectOf(request as Read, [OWN.pack_id!])
      const [file] = Array.isArray(request.body) ? (request.body as UploadedFile[]) : []
      if (!file) throw badRequest('fallback.fiscal_documents.file', 'The body must be multipart/form-data with a file')
      const id = derived(request.world.key, `fiscal document ${request.url} ${file.filename} ${file.bytes}`, 32)
      return reply.code(201).send({ ids: [id] })
    },
  })
}

const fallback: FastifyPluginAsync = async (app) => {
  for (const row of TYPED) for (const method of row[0].split(' ', 1)[0]!.split(',')) app.route(routeOf(row, method))
  app.register(async (uploads) => addFiscalDocuments(uploads))
}
export default fallback
