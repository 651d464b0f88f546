/** Upper bounds of the duration histogram's buckets, seconds. */
export const BUCKET_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** The answers of one route and method since the start. */
export interface RouteStats {
  method: string
  /** The route's pattern, which bounds their number; empty if no route matched. */
  route: string
  /** Requests by status; 0: the client was gone before the whole answer was sent. */
  statuses: Map<number, number>
  /** Requests by duration, each in one bucket; the last one is above all bounds. */
  buckets: number[]
  /** The sum of all durations. */
  seconds: number
}

interface RouteStatsStore {
  add(route: string, method: string, status: number, seconds: number): void
  all(): RouteStats[]
}

export function createRouteStats(): RouteStatsStore {
  const statsByRoute = new Map<string, Map<string, RouteStats>>()

  function statsOf(route: string, method: string): RouteStats {
    let byMethod = statsByRoute.get(route)
    if (!byMethod) {
      byMethod = new Map()
      statsByRoute.set(route, byMethod)
    }
    let stats = byMethod.get(method)
    if (!stats) {
      stats = { method, route, statuses: new Map(), buckets: new Array(BUCKET_BOUNDS.length + 1).fill(0), seconds: 0 }
      byMethod.set(method, stats)
    }
    return stats
  }

  return {
    add(route, method, status, seconds) {
      const stats = statsOf(route, method)
      stats.statuses.set(status, (stats.statuses.get(status) ?? 0) + 1)
      stats.seconds += seconds
      let bucket = 0
      while (bucket < BUCKET_BOUNDS.length && seconds > BUCKET_BOUNDS[bucket]!) bucket++
      stats.buckets[bucket]!++
    },
    all: () => [...statsByRoute.values()].flatMap((byMethod) => [...byMethod.values()]),
  }
}
