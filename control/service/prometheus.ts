import { Counter, collectDefaultMetrics, Gauge, Histogram, type MetricValueWithName, Registry } from 'prom-client'
import type { Disk } from '../../db/disk.ts'
import type { Worlds } from '../../db/worlds.ts'
import type { Dispatcher } from '../../domains/notifications/delivery/dispatcher.ts'
import { countPending } from '../../domains/notifications/queries.ts'
import { BUCKET_BOUNDS, type RouteStats } from '../../http/connections/route_stats.ts'
import type { Traffic } from '../../http/connections/traffic.ts'
import type { Metric } from '../../http/metric.ts'
import about from '../../package.json' with { type: 'json' }

export interface MetricSources {
  worlds: Worlds
  traffic: Traffic
  dispatcher: Dispatcher
  disk: Disk
  more: () => Metric[]
}

/** The metrics; their values are read at each scrape. */
export function createRegistry({ worlds, traffic, dispatcher, disk, more }: MetricSources): Registry {
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
  const registerCounter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  const buildInfo = new Gauge({
    name: 'mercadito_build_info',
    help: 'The version of the server; always 1',
    labelNames: ['version'],
    registers: [registry],
  })
  buildInfo.set({ version: about.version }, 1)
  registerRequests(registry, traffic)
  registerCounter('mercadito_http_requests_refused_total', 'Requests rejected because there were too many', () =>
    traffic.rejected(),
  )
  registerCounter('mercadito_disk_full_total', 'Writes that did not fit on the disk', () => disk.rejectedWrites())
  for (const { kind, name, help, read } of more())
    (kind === 'counter' ? registerCounter : registerGauge)(name, help, read)
  registerGauge('mercadito_http_requests_in_flight', 'Requests in flight', traffic.inFlight)
  registerGauge('mercadito_worlds', 'Worlds', () => worlds.ids().length)
  registerGauge('mercadito_worlds_open', 'Open worlds', () => worlds.listOpen().length)
  registerGauge(
    'mercadito_worlds_broken',
    'Worlds that reject writes because the disk failed to store their commits',
    () => worlds.listOpen().filter(({ isBroken }) => isBroken()).length,
  )
  registerGauge('mercadito_notifications_pending', 'Pending notifications of open worlds', () =>
    countPendingDeliveries(worlds),
  )
  registerGauge('mercadito_notifications_in_flight', 'Attempts in flight', dispatcher.inFlight)
  return registry
}

const DURATION = 'mercadito_http_request_duration_seconds'

/** Requests by route and method. They are counted in `http/connections/traffic.ts`, and copied at each scrape. */
function registerRequests(registry: Registry, traffic: Traffic): void {
  const labelNames = ['method', 'route']
  const answers = new Counter({
    name: 'mercadito_http_requests_total',
    help: 'Finished requests; status 0: the client closed the connection',
    labelNames: [...labelNames, 'status'],
    registers: [],
    collect() {
      this.reset()
      for (const { method, route, statuses } of traffic.routeStats())
        for (const [status, count] of statuses) this.inc({ method, route, status }, count)
    },
  })
  const described = { name: DURATION, help: 'Duration from the head of the request to the last byte of the answer' }
  const histogram = new Histogram({ ...described, labelNames, buckets: BUCKET_BOUNDS, registers: [] })
  // The source of both of the library's formats, though its types lack it.
  const duration = Object.assign(histogram, {
    getForPromString: async () => ({
      ...described,
      type: 'histogram',
      aggregator: 'sum',
      values: traffic.routeStats().flatMap(histogramValues),
    }),
  })
  for (const metric of [answers, duration]) registry.registerMetric(metric)
}

/** A Prometheus histogram: buckets are cumulative. */
function histogramValues({ method, route, buckets, seconds }: RouteStats): MetricValueWithName<string>[] {
  const labels = { method, route }
  let value = 0
  return [
    ...buckets.map((n, bucket) => {
      value += n
      return { metricName: `${DURATION}_bucket`, value, labels: { ...labels, le: BUCKET_BOUNDS[bucket] ?? '+Inf' } }
    }),
    { metricName: `${DURATION}_sum`, value: seconds, labels },
    { metricName: `${DURATION}_count`, value, labels },
  ]
}

async function countPendingDeliveries(worlds: Worlds): Promise<number> {
  let total = 0
  for (const world of worlds.listOpen()) {
    // The world is acquired, so that it stays open while the query runs.
    worlds.retain(world)
    try {
      total += await countPending(world.read)
    } finally {
      worlds.release(world)
    }
  }
  return total
}
