import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { World } from '../../db/world.ts'
import { badParameter } from '../../http/errors/errors.ts'
import { utcSeconds } from '../shared/instants.ts'
import { CommaList, OneOf, splitCommaLists } from '../shared/schemas.ts'
import { shape } from '../shared/shape.ts'
import { visitChecks } from './checks.ts'
import { itemNotFound, userNotFound } from './errors.ts'
import { countBetween, countInBuckets, type Subject } from './queries.ts'
import { Contacts, contactErrorResponses, ItemParams, UserParams } from './schemas.ts'
import { isAnswerable, readRange, readWindow } from './statistics.ts'
import { isUser, sellerOf } from './subjects.ts'
import { presentBuckets } from './windows.ts'

// Visits of listings: contacts of the kind `visits`. Any token may read those of any listing [spec: visits.access].

const DAY_MS = 86_400_000
/** Of a range, and of a window [spec: visits.range, visits.window]. */
const MAX_DAYS = 150
const YEARS_MS = 2 * 365 * DAY_MS

const date = (description: string, example = '2026-02-01') =>
  Type.String({
    maxLength: 64,
    description,
    examples: [example],
    'x-message': 'must be a date',
    'x-rule': 'visits.range',
  })
const ids = CommaList({
  description: 'One listing identifier',
  examples: ['MLA1400000001'],
  'x-message': 'must be one listing identifier',
  'x-rule': 'visits.ids',
  'x-path': '/items/:id',
})
const range = { date_from: date('Start, inclusive', '2026-01-01'), date_to: date('End, exclusive') }
const window = {
  last: Type.Integer({
    ...{ minimum: 1, maximum: MAX_DAYS, description: `Intervals, 1 to ${MAX_DAYS}`, examples: [7] },
    ...{ 'x-message': `must be an integer from 1 to ${MAX_DAYS}`, 'x-rule': 'visits.window' },
  }),
  unit: OneOf(['day', 'hour'], {
    description: 'Length of an interval, in UTC',
    examples: ['day'],
    'x-rule': 'visits.window',
  }),
  ending: Type.Optional(date('Day of the last interval; default: today')),
}
const Range = Type.Object(range)
const Window = Type.Object(window)
const Ids = Type.Object({ ids })
const RangeOfIds = Type.Object({ ids, ...range })
const WindowOfIds = Type.Object({ ids, ...window })

const INSTANT = '2026-02-01T00:00:00Z'
const details = [{ company: 'mercadolibre', quantity: 5 }]
const SUBJECTS = { item_id: { item_id: 'MLA1400000001' }, user_id: { user_id: 2500000101 } }
const TotalOf = (subject: keyof typeof SUBJECTS) =>
  shape(
    { ...SUBJECTS[subject], date_from: INSTANT, date_to: INSTANT, total_visits: 5, visits_detail: details },
    { title: `Visits_${subject}`, description: 'Visits in a range' },
  )
const SeriesOf = (subject: keyof typeof SUBJECTS) =>
  shape(
    {
      ...{ ...SUBJECTS[subject], date_from: INSTANT, date_to: INSTANT, total_visits: 5, last: 7, unit: 'day' },
      results: [{ date: INSTANT, total: 5, visits_detail: details }],
    },
    { title: `VisitSeries_${subject}`, description: 'Visits by interval' },
  )

const detailsOf = (quantity: number) => (quantity > 0 ? [{ company: 'mercadolibre', quantity }] : [])
const named = ({ item_id, user_id }: Subject) => (item_id ? { item_id } : { user_id })

async function total(world: World, subject: Subject, query: Static<typeof Range>) {
  const range = readRange(query, 'visits.range')
  const { from, to } = range
  if (to - from > MAX_DAYS * DAY_MS)
    throw badParameter('date_to', `must be at most ${MAX_DAYS} days later`, 'visits.range')
  if (!isAnswerable(range)) throw badParameter('date_from', 'must be in the years 1000 to 9999', 'visits.range')
  const n = await countBetween(world, 'visits', subject, range)
  const dates = { date_from: utcSeconds(from), date_to: utcSeconds(to) }
  return { ...named(subject), ...dates, total_visits: n, visits_detail: detailsOf(n) }
}

async function series(world: World, subject: Subject, query: Static<typeof Window>) {
  const { last, unit } = query
  const span = readWindow(world, query, { dayOffset: '+00:00' })
  const counts = await countInBuckets(world, 'visits', subject, span)
  return {
    ...named(subject),
    ...{ date_from: utcSeconds(span.from), date_to: utcSeconds(span.to) },
    ...{ total_visits: counts.reduce((sum, total) => sum + total, 0), last, unit },
    results: presentBuckets(span, counts, (at, total) => ({
      date: utcSeconds(at),
      total,
      visits_detail: detailsOf(total),
    })),
  }
}

const seriesOfList = async (...call: Parameters<typeof series>) => [await series(...call)]

async function twoYears(world: World, subject: Subject) {
  const now = world.clock.hour()
  const range = { from: now - YEARS_MS, to: now + DAY_MS }
  return { [subject.item_id!]: await countBetween(world, 'visits', subject, range) }
}

type Request = FastifyRequest<{ Params: { item_id: string; user_id: number } }>

async function itemOf({ world }: Request, item_id: string, field: 'item_id' | 'ids'): Promise<Subject> {
  const user_id = await sellerOf(world, item_id)
  if (user_id === undefined) throw itemNotFound(field)
  return { item_id, user_id }
}
const SUBJECT_OF = {
  item_id: (request: Request) => itemOf(request, request.params.item_id, 'item_id'),
  ids(request: Request) {
    const [id, ...others] = splitCommaLists((request.query as Static<typeof Ids>).ids)
    if (id === undefined || others.length > 0) throw badParameter('ids', 'must be one listing identifier', 'visits.ids')
    return itemOf(request, id, 'ids')
  },
  async user_id({ world, params: { user_id } }: Request): Promise<Subject> {
    if (!(await isUser(world, user_id))) throw userNotFound()
    return { user_id }
  },
  me: async ({ caller: { user_id } }: Request): Promise<Subject> => ({ user_id }),
}
type VisitSubject = keyof typeof SUBJECT_OF

// biome-ignore lint/suspicious/noExplicitAny: each handler names the query of its row
type Handler = (world: World, subject: Subject, query: any) => Promise<object>
const Counts = Type.Record(Type.String(), Type.Integer(), {
  title: 'VisitsOfListing',
  description: 'Visits by listing',
})

const [ItemTotal, UserTotal] = [TotalOf('item_id'), TotalOf('user_id')]
const [ItemSeries, UserSeries] = [SeriesOf('item_id'), SeriesOf('user_id')]
const ItemSeriesList = Type.Array(ItemSeries)

const ROUTES: [path: string, summary: string, VisitSubject, query: TSchema, answer: TSchema, Handler][] = [
  ['/items/:item_id/visits', 'Count the visits of a listing by day', 'item_id', Window, ItemSeries, series],
  [
    '/items/:item_id/visits/time_window',
    'Count the visits of a listing by day or hour',
    'item_id',
    Window,
    ItemSeries,
    series,
  ],
  ['/items/visits', 'Count the visits of a listing in a range', 'ids', RangeOfIds, ItemTotal, total],
  [
    '/items/visits/time_window',
    'Count the visits of a listing by day, as a list',
    'ids',
    WindowOfIds,
    ItemSeriesList,
    seriesOfList,
  ],
  ['/visits/items', 'Count the visits of a listing in two years', 'ids', Ids, Counts, twoYears],
  ['/users/:user_id/items_visits', 'Count the visits of a seller in a range', 'user_id', Range, UserTotal, total],
  [
    '/users/:user_id/items_visits/time_window',
    'Count the visits of a seller by day or hour',
    'user_id',
    Window,
    UserSeries,
    series,
  ],
  ['/users/me/items_visits', 'Count the visits of the caller in a range', 'me', Range, UserTotal, total],
  [
    '/users/me/items_visits/time_window',
    'Count the visits of the caller by day or hour',
    'me',
    Window,
    UserSeries,
    series,
  ],
]

/** What the handlers check. */
const CHECKED = new Map<Handler, ('visit_range' | 'ending')[]>([
  [total, ['visit_range']],
  [series, ['ending']],
  [seriesOfList, ['ending']],
])
const resource = { ...Contacts, name: 'Visits', description: 'How often buyers looked at listings' }

/** Adds the routes to the plugin of contacts, which gives errors their form. */
export function addVisitRoutes(app: FastifyInstance): void {
  for (const [url, summary, name, querystring, answer, handler] of ROUTES) {
    const params = { item_id: ItemParams, user_id: UserParams }[name as 'item_id' | 'user_id']
    app.get(url, {
      config: { resource, access: 'token', checks: visitChecks(name, CHECKED.get(handler) ?? []) },
      schema: { summary, ...(params && { params }), querystring, response: { 200: answer, ...contactErrorResponses } },
      handler: (async (request: Request) =>
        handler(request.world, await SUBJECT_OF[name](request), request.query)) as RouteHandlerMethod,
    })
  }
}
