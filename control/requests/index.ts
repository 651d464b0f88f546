import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { TSchema } from '@sinclair/typebox'
import { keepsState, NoContent, Page, viewable } from '../../domains/shared/control_schemas.ts'
import { errorResponses, ResponseObject } from '../../domains/shared/schemas.ts'
import type { Journals } from '../../http/journal/journals.ts'
import { createFilter, RequestList } from './filters.ts'
import {
  config,
  DroppedCount,
  ListedRequest,
  Marks,
  presentMark,
  presentRequest,
  presentWithoutBodies,
  RecordedRequest,
  RequestParams,
  requestNotFound,
} from './schemas.ts'

const ListOf = <T extends TSchema>(element: T) =>
  ResponseObject({ ...Page(element, 'Requests').properties, dropped: DroppedCount, marks: Marks })
const RequestPage = ListOf(ListedRequest)
/** In a page with bodies, no member is optional: the serializer writes optional members last. */
const PageWithBodies = ListOf(RecordedRequest)

/** The recorded requests. */
const requests: FastifyPluginAsyncTypebox<{ journals: Journals }> = async (app, { journals }) => {
  app.get(
    '/requests',
    {
      config: viewable(config),
      schema: {
        summary: 'List recorded calls with their answers',
        description:
          'Lists the HTTP calls of the world’s emulated API, with or without an answer. The server stores the latest 1000 in memory, at most 4 MiB for each world and 64 MiB for all worlds. Load clears the list, and so do reset and restore without `keep_requests`; `marks` then has that change. Tokens, secrets, codes and passwords are replaced by `***`.',
        querystring: RequestList,
        response: {
          200: RequestPage,
          ...errorResponses(400, 404),
        },
      },
    },
    async ({ world, query }, reply) => {
      const { limit, offset, order, bodies } = query
      const present = bodies === 'true' ? presentRequest : presentWithoutBodies
      if (bodies === 'true')
        reply.type('application/json; charset=utf-8').serializer(reply.compileSerializationSchema(PageWithBodies))
      const { generation } = world
      const { requests, marks } = journals.of(generation)
      const found = requests.values().filter(createFilter(query))
      if (order === 'desc') found.reverse()
      return {
        paging: { total: found.length, limit, offset },
        results: found.slice(offset, offset + limit).map((entry) => present({ generation, requests }, entry)),
        dropped: requests.dropped,
        marks: marks.map(presentMark),
      }
    },
  )

  app.get(
    '/requests/:id',
    {
      config: viewable(config),
      schema: {
        summary: 'Read a recorded call with its answer',
        params: RequestParams,
        response: { 200: RecordedRequest, ...errorResponses(404) },
      },
    },
    async ({ world, params: { id } }) => {
      const { generation } = world
      const { requests } = journals.of(generation)
      const entry = requests.get(id)
      if (!entry) throw requestNotFound(id)
      return presentRequest({ generation, requests }, entry)
    },
  )

  app.delete(
    '/requests',
    {
      config: keepsState(config),
      schema: {
        summary: 'Delete the recorded calls',
        description: 'Ids continue.',
        response: { 204: NoContent, ...errorResponses(404) },
      },
    },
    async ({ world }, reply) => {
      journals.of(world.generation).clear()
      return reply.code(204).send(null)
    },
  )
}
export default requests
