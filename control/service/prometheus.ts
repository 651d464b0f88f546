import {
  collectDefaultMetrics,
  Gauge,
  type Metric,
  type MetricObjectWithValues,
  type MetricValueWithName,
  Registry,
} from 'prom-client'
import type { Worlds } from '../../db/worlds.ts'
import type { Dispatcher } from '../../domains/notifications/delivery/dispatcher.ts'
import { countPending } from '../../domains/notifications/queries.ts'
import { BUCKET_BOUNDS, type RouteStats } from '../../http/route_stats.ts'
import type { Traffic } from '../../http/traffic.ts'

export interface MetricSources {
  worlds: Worlds
  traffic: Traffic
  dispatcher: Dispatcher
}

type Values = MetricValueWithName<string>[]

/** The metrics; they are read when Prometheus asks. */
export function createRegistry({ worlds, traffic, dispatcher }: MetricSources): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })

  const registerGauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read())
      },
    })
  /** A metric whose value is counted elsewhere. */
  const registerValues = (name: string, type: 'counter' | 'histogram', help: string, values: () => Values) => {
    const metric = { name, help, type, aggregator: 'sum', collect() {}, reset() {}, get: async () => metricObject() }
    const metricObject = () => ({ ...metric, values: values() }) as unknown as MetricObjectWithValues<Values[0]>
    registry.registerMetric(metric as unknown as Metric)
  }

  registerValues(
    'mercadito_http_requests_total',
    'counter',
    'Finished requests; status 0: the client closed the connection',
    () =>
      traffic
        .routeStats()
        .flatMap(({ statuses, ...tally }) =>
          [...statuses].map(([status, value]) => ({ value, labels: { ...labelsOf(tally), status } })),
        ),
  )
  registerValues(
    'mercadito_http_request_duration_seconds',
    'histogram',
    'From the head to the last byte of the answer',
    () => traffic.routeStats().flatMap(histogramValues),
  )
  registerValues(
    'mercadito_http_requests_refused_total',
    'counter',
    'Requests rejected because there were too many',
    () => [{ value: traffic.rejected(), labels: {} }],
  )
  registerGauge('mercadito_http_requests_in_flight', 'Requests in flight', traffic.inFlight)
  registerGauge('mercadito_worlds', 'Worlds', () => worlds.ids().length)
  registerGauge('mercadito_worlds_open', 'Open worlds', () => worlds.listOpen().length)
  registerGauge('mercadito_notifications_pending', 'Pending notifications of open worlds', () =>
    countPendingDeliveries(worlds),
  )
  registerGauge('mercadito_notifications_in_flight', 'Attempts in flight', dispatcher.inFlight)
  return registry
}

const labelsOf = ({ method, route }: Pick<RouteStats, 'method' | 'route'>) => ({ method, route })

/** A Prometheus histogram: buckets are cumulative. */
function histogramValues({ buckets, seconds, ...tally }: RouteStats): Values {
  const labels = labelsOf(tally)
  const name = 'mercadito_http_request_duration_seconds'
  let value = 0
  return [
    ...buckets.map((n, bucket) => {
      value += n
      return { metricName: `${name}_bucket`, value, labels: { ...labels, le: BUCKET_BOUNDS[bucket] ?? '+Inf' } }
    }),
    { metricName: `${name}_sum`, value: seconds, labels },
    { metricName: `${name}_count`, value, labels },
  ]
}

async function countPendingDeliveries(worlds: Worlds): Promise<number> {
  let total = 0
  for (const world of worlds.listOpen()) {
    // The world stays open meanwhile.
    worlds.retain(world)
    try {
      total += await countPending(world.read)
    } finally {
      worlds.release(world)
    }
  }
  return total
}
