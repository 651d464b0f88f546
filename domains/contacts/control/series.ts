import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from '@sinclair/typebox'
import type { World } from '../../../db/world.ts'
import { badRequest } from '../../../http/errors/control_errors.ts'
import { viewable } from '../../shared/control_schemas.ts'
import { itemNotFound, userNotFound } from '../../shared/errors.ts'
import { utcMillis } from '../../shared/instants.ts'
import { errorResponses, parseInstantParameter } from '../../shared/schemas.ts'
import { DAY_OFFSET } from '../assumptions.ts'
import { SERIES_KINDS } from '../kinds.ts'
import { isUser, sellerOf } from '../owner_cache.ts'
import { countInBuckets, type Subject } from '../queries.ts'
import { type BucketTotal, MAX_CHANGES, setTotals } from '../series_operations.ts'
import { fillBuckets, type Unit, type Window, windowOf } from '../windows.ts'
import { config } from './config.ts'
import { ContactSeries, MAX_POINTS, SeriesBody, SeriesChanges, SeriesQuery } from './series_schemas.ts'

/** Intervals of a series without `from`. */
const DEFAULT_POINTS: Record<Unit, number> = { hour: 7 * 24, day: 30 }
const MAX_WINDOW_END = Date.UTC(9999, 11, 31)

const series: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/contacts/series',
    {
      config: viewable(config),
      schema: {
        summary: 'Count the contacts of a listing or seller by hour or day',
        description: `The totals are those of the emulated API. At most ${MAX_POINTS} intervals.`,
        querystring: SeriesQuery,
        response: { 200: ContactSeries, ...errorResponses(400, 404) },
      },
    },
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
        points: fillBuckets(window, counts).map(({ at, total }) => ({ at: utcMillis(at), total })),
      }
    },
  )

  app.put(
    '/contacts/series',
    {
      config,
      schema: {
        summary: 'Set the contacts of a listing by hour or day',
        description: `Each interval then has exactly its total; others stay. Missing contacts are added as those of guests, evenly from the start of the interval to its end, or to now. Of surplus ones the newest are deleted. At most ${MAX_POINTS} intervals and ${MAX_CHANGES} added and deleted contacts; all or nothing. No topic notifies of them.`,
        body: SeriesBody,
        response: { 200: SeriesChanges, ...errorResponses(400, 404, 413) },
      },
    },
    async ({ world, body }) => {
      const { kind, item_id } = body
      const now = world.clock.now()
      const buckets = readPoints(world, body, now)
      const { user_id } = await subjectOf(world, { item_id })
      return world.tx((q) => setTotals(q, world, { kind: SERIES_KINDS[kind], item_id, user_id }, buckets, now))
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
