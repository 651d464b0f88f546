import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Worlds } from '../../db/worlds.ts'
import { config } from '../../domains/notifications/control/settings.ts'
import type { Feed } from '../../domains/notifications/feed/feed.ts'
import { latestPosition } from '../../domains/notifications/feed/queries.ts'
import { viewableUnmasked } from '../../domains/shared/control_schemas.ts'
import { CommaList, errorResponses, MAX_ID, splitCommaLists } from '../../domains/shared/schemas.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import type { Journals } from '../../http/journal/journals.ts'
import { releaseWorld } from '../../http/request_world.ts'
import { DEFAULT_KINDS, EVENT_KINDS, type EventKind, memorySources } from './kinds.ts'

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  connection: 'close',
}
const ID_MESSAGE = 'must be an integer from 0'

const KINDS_MESSAGE = `must be one or more of ${EVENT_KINDS.join(', ')}, separated by commas`

interface Options {
  worlds: Worlds
  feed: Feed
  journals: Journals
}

const DESCRIPTION = [
  'For every published change, notified or not: `event: fact`, with an id and {id, topic, resource, actions, users, at, real_at, cause}; `actions` for some topics only.',
  'For every finished attempt: `event: attempt`, with {delivery_id, application_id, user_id, topic, resource, status, n, ms, http_code, error, sent, real_sent, limit_ms, left_ms, fact_id}; `left_ms` is negative if the answer came too late.',
  'After the attempt that switched its topic off: `event: topic_off`, with {application_id, topic, since}.',
  '`kinds` selects others. `request`: a recorded call, {id, at, real_at, method, path, status, ms, user_id, application_id, faults, found, changes, after_delivery}; `at` is world time, `path` has the query.',
  '`control`: a control call that may have changed something, {id, method, path, by, status, ms, at, real_at, changes}.',
  '`clock`: the clock was changed, {mode, now, before, cause}.',
  '`contact`: contacts of a listing, {item_id, user_id, phone_views, messaging_clicks, questions}, summed for a second.',
  '`world`: the state was replaced or removed, {change: reset, restore, load, undo or deleted, name}; the stream ends.',
  'The stream begins now; its facts begin after the one that `Last-Event-ID` or `last_event_id` names.',
  'Facts are stored for two days of the world’s time, at most the last 100,000; if some of the requested ones are deleted, `event: gap` with {after, first} precedes the first stored one. Of the kinds in memory it has the `kind`, too.',
  'The header `x-sandbox-state` identifies the state: with another value, as after a reset or a restart, ids may have begun again. An id above the last one of the world counts as 0. Reset, restore, undo, load and delete end the stream; so does the server if the client leaves more than 1 MB unread.',
].join(' ')

/** The events of a world as a stream. */
const events: FastifyPluginAsyncTypebox<Options> = async (app, { worlds, feed, journals }) => {
  app.get(
    '/events',
    {
      config: viewableUnmasked(config),
      schema: {
        summary: 'Stream the events of the world as server-sent events',
        description: DESCRIPTION,
        querystring: Type.Object({
          last_event_id: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: MAX_ID,
              description: 'Resume after this event; the header Last-Event-ID takes precedence',
              'x-message': ID_MESSAGE,
            }),
          ),
          kinds: Type.Optional(
            CommaList({
              description: `Kinds of events: ${EVENT_KINDS.join(', ')}; default: ${DEFAULT_KINDS.join(',')}`,
              examples: [['fact', 'request']],
              'x-message': KINDS_MESSAGE,
            }),
          ),
        }),
        response: {
          200: { description: 'Events', content: { 'text/event-stream': { schema: Type.String() } } },
          ...errorResponses(400, 404),
        },
      },
    },
    async (request, reply) => {
      const { world, headers, query } = request
      const kinds = readKinds(query.kinds)
      const lastEventId = readLastEventId(headers['last-event-id']) ?? query.last_event_id
      const position = await latestPosition(world.read)
      if (lastEventId !== undefined) position.event = lastEventId > position.event ? 0 : lastEventId
      const answered = { ...HEADERS, 'x-sandbox-state': world.generation.id }
      reply.hijack()
      reply.raw.writeHead(200, answered)
      feed.subscribe(world, { position, kinds, sources: memorySources(world, kinds, journals) }, reply.raw)
      releaseWorld(worlds, request)
    },
  )
}
export default events

function readKinds(list: string[] | undefined): ReadonlySet<EventKind> {
  const names = list === undefined ? DEFAULT_KINDS : splitCommaLists(list)
  const kinds = EVENT_KINDS.filter((kind) => names.includes(kind))
  if (kinds.length === 0 || kinds.length < new Set(names).size) throw badRequest(`kinds: ${KINDS_MESSAGE}`)
  return new Set(kinds)
}

/** The header that a client sends to resume; an empty one counts as absent. */
function readLastEventId(text: string | string[] | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const id = Number(text)
  if (!/^\d+$/.test(String(text)) || id > MAX_ID) throw badRequest(`Last-Event-ID: ${ID_MESSAGE}`)
  return id
}
