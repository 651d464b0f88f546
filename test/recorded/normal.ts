// Replaces what differs between two runs of the same program by constants, and nothing else.

/**
 * Replaces durations in real time: `ms` in the journal and in attempts, `req_time` of a missed feed; and the attempt that
 * a call follows, which is found by real time; and the version that sent a notification.
 */
export const withoutDurations = (body: string): string =>
  withoutVersion(body)
    .replace(/"(ms|req_time)":\d+/g, '"$1":0')
    .replace(/"after_delivery":\{[^{}]*\}/g, '"after_delivery":null')

/** Replaces the size of a world or snapshot, which depends on SQLite's log. */
export const withoutSizes = (body: string): string =>
  /"used_at":|"bytes":\d+,"now":/.test(body) ? body.replace(/"bytes":\d+/g, '"bytes":0') : body

/** Replaces the ports of servers in this process. */
export const withoutPorts = (text: string): string => text.replace(/(127\.0\.0\.1|localhost):\d{4,5}/g, '$1:PORT')

/** Replaces the version in the user-agent of notifications. */
export const withoutVersion = (text: string): string =>
  text.replace(/^(user-agent: \w+)\/.*$/gim, '$1/VERSION').replace(/("user-agent":"mercadito)\/[^"]*/g, '$1/VERSION')

/** Replaces the date header, which Node sets to real time. */
export const withoutDate = (text: string): string =>
  text.replace(/^date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/gim, (line) => `${line.slice(0, 5)} DATE`)

/** Stops real time at the time of the world, so that real dates are the same in every run. Returns the undo function. */
export function stopRealTime(): () => void {
  const { now } = Date
  Date.now = () => Date.UTC(2026, 2, 7, 15)
  return () => {
    Date.now = now
  }
}
