import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { World } from '../../../db/world.ts'
import { badRequest } from '../../../http/errors/control_errors.ts'
import { controlCall, StrictBody, viewable } from '../../shared/control_schemas.ts'
import { itemNotFound, userNotFound } from '../../shared/errors.ts'
import { utcMillis } from '../../shared/instants.ts'
import { Id, Instant, Integer, ITEM_ID, OneOf, parseInstantParameter, ResponseObject } from '../../shared/schemas.ts'
import { DAY_OFFSET } from '../assumptions.ts'
import { countInBuckets, type Subject } from '../queries.ts'
import { config } from '../schemas.ts'
import { type BucketTotal, MAX_CHANGES, setTotals } from '../series_operations.ts'
import { isUser, sellerOf } from '../subjects.ts'
import { SERIES_KINDS, type SeriesKind } from '../tables.ts'
import { presentBuckets, type Unit, type Window, windowOf } from '../windows.ts'

/** Points of one call. */
const MAX_POINTS = 10_000

const Kind = OneOf(Object.keys(SERIES_KINDS) as SeriesKind[], {
  description: 'Kind of the contacts; `messaging_click` is the kind `whatsapp` of `POST /contacts`',
  examples: ['phone_view'],
})
const unit = OneOf(['hour', 'day'], {
  description:
    'Length of an interval: a full UTC hour, or a day that begins at midnight as the assumption `contacts.day_offset` says',
  examples: ['hour'],
})
const item_id = Type.String({
  pattern: ITEM_ID.source,
  description: 'The listing',
  examples: ['MLA1400000001'],
  'x-message': 'must be the identifier of a listing, such as MLA1400000001',
})
const at = Instant('Start of the interval, UTC', '2026-03-02T12:00:00.000Z')

const SeriesQuery = Type.Object({
  kind: { ...Kind, default: 'phone_view' },
  item_id: Type.Optional({ ...item_id, description: 'The listing; or `user_id`' }),
  user_id: Type.Optional(Id('The seller, with all listings; or `item_id`', 2500000101)),
  unit: { ...unit, default: 'hour' },
  from: Type.Optional(
    Instant(
      'Start of the series, in its first interval; default: a week (`hour`) or 30 days (`day`) before the end',
      '2026-03-01T00:00:00.000-04:00',
    ),
  ),
  to: Type.Optional(
    Instant(
      'End of the series, exclusive, in its last interval; default: the end of the interval in progress',
      '2026-03-08T00:00:00.000-04:00',
    ),
  ),
})

export const ContactSeries = ResponseObject(
  {
    kind: Kind,
    unit,
    from: Instant('Start of the first interval, UTC', '2026-03-02T12:00:00.000Z'),
    to: Instant('End of the last interval, exclusive, UTC', '2026-03-02T14:00:00.000Z'),
    points: Type.Array(
      ResponseObject({ at, total: Type.Integer({ description: 'Contacts in the interval', examples: [5] }) }),
      { description: 'One element for each interval, zeros too' },
    ),
  },
  { title: 'ContactSeries', description: 'Contacts by hour or day' },
)

const POINTS_MESSAGE = `must be an array of 1 to ${MAX_POINTS} objects with at and total`
const SeriesBody = StrictBody(
  {
    kind: OneOf(['phone_view', 'messaging_click', 'visit'], {
      description: 'Kind of the contacts; questions are created with `POST /questions`',
      examples: ['phone_view'],
    }),
    item_id,
    unit: Type.Optional({ ...unit, default: 'hour' }),
    points: Type.Array(
      StrictBody(
        {
          at: { ...at, description: 'Start of an interval that has begun' },
          total: Integer(0, MAX_CHANGES, 'Contacts that the interval then has', { examples: [40] }),
        },
        { 'x-message': POINTS_MESSAGE },
      ),
      { minItems: 1, maxItems: MAX_POINTS, description: 'Different intervals', 'x-message': POINTS_MESSAGE },
    ),
  },
  {
    title: 'NewContactSeries',
    description: 'Contacts of one kind of a listing',
    examples: [
      {
        kind: 'phone_view',
        item_id: 'MLA1400000001',
        unit: 'hour',
        points: [{ at: '2026-03-02T12:00:00.000Z', total: 40 }],
      },
    ],
  },
)
type SeriesBody = Static<typeof SeriesBody>

export const SeriesChanges = ResponseObject(
  {
    changed: Type.Integer({ description: 'Intervals that had another total', examples: [1] }),
    added: Type.Integer({ description: 'Recorded contacts', examples: [40] }),
    removed: Type.Integer({ description: 'Deleted contacts', examples: [0] }),
  },
  { title: 'SeriesChanges', description: 'What was changed' },
)

/** Intervals of a series without `from`. */
const DEFAULT_POINTS: Record<Unit, number> = { hour: 7 * 24, day: 30 }
const MAX_WINDOW_END = Date.UTC(9999, 11, 31)

const series: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/contacts/series',
    controlCall(viewable(config), {
      summary: 'Count the contacts of a listing or seller by hour or day',
      description: `The totals are those of the emulated API. At most ${MAX_POINTS} intervals.`,
      querystring: SeriesQuery,
      answer: ContactSeries,
    }),
    async ({ world, query }) => {
      const { kind, unit } = query
      const window = parseWindow(world, query)
      const subject = await subjectOf(world, query)
      const counts = await countInBuckets(world, SERIES_KINDS[kind], subject, window)
      return {
        kind,
        unit,
        from: utcMillis(window.from),
        to: utcMillis(window.to),
        points: presentBuckets(window, counts, (at, total) => ({ at: utcMillis(at), total })),
      }
    },
  )

  app.put(
    '/contacts/series',
    controlCall(config, {
      summary: 'Set the contacts of a listing by hour or day',
      description: `Each interval then has exactly its total; others stay. Missing contacts are added as those of guests, evenly from the start of the interval to its end, or to now. Of surplus ones the newest are deleted. At most ${MAX_POINTS} intervals and ${MAX_CHANGES} added and deleted contacts; all or nothing. No topic notifies of them.`,
      body: SeriesBody,
      answer: SeriesChanges,
    }),
    async ({ world, body }) => {
      const { kind, item_id } = body
      const now = world.clock.now()
      const buckets = readPoints(world, body, now)
      const { user_id } = await subjectOf(world, { item_id })
      const series = { kind: SERIES_KINDS[kind], item_id, user_id }
      return world.tx((q) => setTotals(q, { origin: world.origin, now }, series, buckets))
    },
  )
}
export default series

/** The listing or seller of a call. Throws 400 unless exactly one is named, 404 if it does not exist. */
async function subjectOf(world: World, { item_id, user_id }: Partial<Subject>): Promise<Subject> {
  if ((item_id === undefined) === (user_id === undefined))
    throw badRequest('item_id, user_id: exactly one of them is required')
  if (user_id !== undefined) {
    if (!(await isUser(world, user_id))) throw userNotFound(user_id)
    return { user_id }
  }
  const seller = await sellerOf(world, item_id!)
  if (seller === undefined) throw itemNotFound(item_id)
  return { item_id: item_id!, user_id: seller }
}

/** The interval of an instant, ms. */
const bucketOf = (world: World, unit: Unit, at: number): Window =>
  windowOf(1, unit, at, { dayOffset: DAY_OFFSET.of(world) })

/** The window of a query, widened to whole intervals. Throws 400. */
function parseWindow(world: World, { unit, from, to }: Static<typeof SeriesQuery>): Window {
  const end = to === undefined ? world.clock.now() : parseInstantParameter('to', to) - 1
  const last = bucketOf(world, unit, end)
  const first = from === undefined ? last.to - DEFAULT_POINTS[unit] * last.bucket : parseInstantParameter('from', from)
  const window = { ...last, from: bucketOf(world, unit, first).from }
  if (window.from < 0 || window.to > MAX_WINDOW_END) throw badRequest('from, to: must be between 1970 and 9999')
  const points = (window.to - window.from) / window.bucket
  if (points < 1) throw badRequest('from: must be before to')
  if (points > MAX_POINTS) throw badRequest(`from, to: must be at most ${MAX_POINTS} intervals apart`)
  return window
}

/** The intervals of a body, with their totals. Throws 400 that names the point. */
function readPoints(world: World, { unit = 'hour', points }: SeriesBody, now: number): BucketTotal[] {
  const pointByStart = new Map<number, number>()
  return points.map(({ at: text, total }, n) => {
    const place = `points[${n}].at`
    const at = parseInstantParameter(place, text)
    const { from, to } = bucketOf(world, unit, at)
    if (from < 0 || from > now) throw badRequest(`${place}: must be between 1970 and the world’s present time`)
    if (from !== at) throw badRequest(`${place}: must be the start of the ${unit}, ${utcMillis(from)}`)
    if (pointByStart.has(at)) throw badRequest(`${place}: is the ${unit} of points[${pointByStart.get(at)}], too`)
    pointByStart.set(at, n)
    return { from, to, total }
  })
}
