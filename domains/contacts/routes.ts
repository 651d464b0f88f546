import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { CallChecks } from '../../http/errors/checks.ts'
import { createErrorHandler, type OnFault } from '../../http/errors/error_handler.ts'
import { badParameter, missingToken } from '../../http/errors/errors.ts'
import { splitCommaLists } from '../shared/schemas.ts'
import { AUTH } from './assumptions.ts'
import { totalChecks, windowChecks } from './checks.ts'
import { toContactsError } from './errors.ts'
import {
  Contacts,
  contactErrorResponses,
  ItemParams,
  MAX_IDS,
  Range,
  Series,
  type SubjectName,
  Total,
  UserParams,
  WindowOfItemQuery,
  WindowOfManyQuery,
  WindowQuery,
} from './schemas.ts'
import { parseRange, parseWindow } from './statistics.ts'
import { itemSubjects, userSubject } from './subjects.ts'
import type { StatisticKind } from './tables.ts'
import { addVisitRoutes } from './visit_routes.ts'

/** Each path with the kind that it counts and its subject. */
const TOTAL_ROUTES: [path: string, kind: StatisticKind, subject: SubjectName][] = [
  ['/items/:item_id/contacts/questions', 'questions', 'item_id'],
  ['/users/:user_id/contacts/questions', 'questions', 'user_id'],
  ['/items/:item_id/contacts/phone_views', 'phone_views', 'item_id'],
  ['/users/:user_id/contacts/phone_views', 'phone_views', 'user_id'],
  ['/items/:item_id/contacts/whatsapp', 'whatsapp', 'item_id'],
  ['/users/:user_id/contacts/whatsapp', 'whatsapp', 'user_id'],
]
const WINDOW_ROUTES: [path: string, kind: StatisticKind, subject: SubjectName | 'ids'][] = [
  ['/items/:item_id/contacts/questions/time_window', 'questions', 'item_id'],
  ['/users/:user_id/contacts/questions/time_window', 'questions', 'user_id'],
  ['/items/contacts/questions/time_window', 'questions', 'ids'],
  ['/items/:item_id/contacts/phone_views/time_window', 'phone_views', 'item_id'],
  ['/users/:user_id/contacts/phone_views/time_window', 'phone_views', 'user_id'],
  ['/items/contacts/phone_views/time_window', 'phone_views', 'ids'],
  ['/items/:item_id/contacts/whatsapp/time_window', 'whatsapp', 'item_id'],
  ['/users/:user_id/contacts/whatsapp/time_window', 'whatsapp', 'user_id'],
  ['/items/contacts/whatsapp/time_window', 'whatsapp', 'ids'],
]

const KIND_NAMES: Record<StatisticKind, string> = {
  questions: 'questions',
  phone_views: 'phone views',
  whatsapp: 'clicks on the messaging button',
}
const SUBJECT_NAMES: Record<SubjectName | 'ids', string> = {
  item_id: 'of a listing',
  user_id: 'of a seller',
  ids: 'of several listings',
}

const RANGE_DESCRIPTION =
  'From `date_from` (inclusive) to `date_to` (exclusive), exact to the millisecond; both are echoed as sent.'
const WINDOW_DESCRIPTION =
  '`last` whole intervals; the last one holds `ending`, or now. Hours sit on full UTC hours, days begin at midnight, -04:00. Intervals in which nothing happened are listed with 0. What the interval that is still running has so far counts.'

function addRoute(
  app: FastifyInstance,
  { path, kind, checks }: { path: string; kind: StatisticKind; checks: CallChecks },
  { answer, ...schema }: { summary: string; description: string; answer: TSchema; [part: string]: TSchema | string },
  handler: (request: ContactsRequest) => Promise<unknown>,
): void {
  app.get(path, {
    config: { resource: Contacts, access: kind === 'whatsapp' ? 'token' : 'optional', checks },
    schema: { ...schema, response: { 200: answer, ...contactErrorResponses } },
    handler: handler as RouteHandlerMethod,
  })
}

const paramsOf = (name: SubjectName) => (name === 'item_id' ? ItemParams : UserParams)

function addTotalRoute(app: FastifyInstance, path: string, kind: StatisticKind, name: SubjectName): void {
  const schema = {
    summary: `Count the ${KIND_NAMES[kind]} ${SUBJECT_NAMES[name]} in a range`,
    description: RANGE_DESCRIPTION,
    params: paramsOf(name),
    querystring: Range,
    answer: Total(kind, name),
  }
  addRoute(app, { path, kind, checks: totalChecks(name) }, schema, async (request) => {
    const { world, params, query } = request
    const parsedRange = parseRange(query as Static<typeof Range>)
    return parsedRange.total(world, kind, await subjectOf(request, name, params[name]))
  })
}

function addSeriesRoute(app: FastifyInstance, path: string, kind: StatisticKind, name: SubjectName): void {
  // This path also takes ids, which replace the listing in the path [spec: contacts.several.in_path].
  const mayTakeIds = kind === 'questions' && name === 'item_id'
  const one = Series(kind, name)
  const schema = {
    summary: `Count the ${KIND_NAMES[kind]} ${SUBJECT_NAMES[name]} by hour or day`,
    description: WINDOW_DESCRIPTION,
    params: paramsOf(name),
    querystring: mayTakeIds ? WindowOfItemQuery : WindowQuery,
    answer: mayTakeIds
      ? Type.Union([one, Type.Array(one)], { description: 'A series; with ids an array of them' })
      : one,
  }
  addRoute(app, { path, kind, checks: windowChecks(name, { ids: mayTakeIds }) }, schema, async (request) => {
    const { world, params } = request
    const query = request.query as Static<typeof WindowOfItemQuery>
    if (mayTakeIds && query.ids && splitCommaLists(query.ids).length > 0)
      return seriesOfMany(request, kind, parseIds({ ids: query.ids }))
    const window = parseWindow(world, query)
    return window.seriesOf(kind, await subjectOf(request, name, params[name]))
  })
}

function addSeriesOfManyRoute(app: FastifyInstance, path: string, kind: StatisticKind): void {
  const schema = {
    summary: `Count the ${KIND_NAMES[kind]} ${SUBJECT_NAMES.ids} by hour or day`,
    description: WINDOW_DESCRIPTION,
    querystring: WindowOfManyQuery,
    answer: Type.Array(Series(kind, 'item_id'), { description: 'One series for each id' }),
  }
  addRoute(app, { path, kind, checks: windowChecks('ids', { ids: true }) }, schema, async (request) =>
    seriesOfMany(request, kind, parseIds(request.query as Static<typeof WindowOfManyQuery>)),
  )
}

const contacts: FastifyPluginAsync<{ onFault: OnFault }> = async (app, { onFault }) => {
  app.setErrorHandler(createErrorHandler(onFault, toContactsError))
  app.addHook('preValidation', (request, _reply, done) => {
    done(AUTH.of(request.world) === 'required' && !request.caller ? missingToken('contacts.auth') : undefined)
  })
  addVisitRoutes(app)
  for (const [path, kind, name] of TOTAL_ROUTES) addTotalRoute(app, path, kind, name)
  for (const [path, kind, name] of WINDOW_ROUTES)
    if (name === 'ids') addSeriesOfManyRoute(app, path, kind)
    else addSeriesRoute(app, path, kind, name)
}
export default contacts

/** Routes of variable paths have no types of their own. */
type ContactsRequest = FastifyRequest<{ Params: { item_id: string; user_id: number } }>

const subjectOf = async (request: ContactsRequest, name: SubjectName, id: string | number) =>
  name === 'item_id' ? (await itemSubjects(request, [id as string], 'item_id'))[0]! : userSubject(request, id as number)

async function seriesOfMany(request: ContactsRequest, kind: StatisticKind, ids: string[]) {
  const window = parseWindow(request.world, request.query as Static<typeof WindowQuery>)
  const subjects = await itemSubjects(request, ids, 'ids')
  return Promise.all(subjects.map((subject) => window.seriesOf(kind, subject)))
}

function parseIds({ ids }: { ids: string[] }): string[] {
  const names = splitCommaLists(ids)
  if (names.length < 1 || names.length > MAX_IDS)
    throw badParameter('ids', WindowOfManyQuery.properties.ids['x-message'], 'contacts.several.ids')
  return names
}
