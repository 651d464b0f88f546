// What differs between two runs of the same program, and the constant that stands for it. Nothing else is changed.

/**
 * How long something really took: `ms` of a call in the journal and of an attempt to deliver, `req_time` of a missed feed.
 * The length of the body goes with it.
 */
export function withoutDurations(answer: string): string {
  const text = answer.replace(/"(ms|req_time)":\d+/g, '"$1":0')
  return /"(ms|req_time)":0/.test(text) ? text.replace(/^content-length: \d+$/m, 'content-length: N') : text
}

/** The address at which a server of this process happens to listen. */
export const withoutPorts = (text: string): string => text.replace(/(127\.0\.0\.1|localhost):\d{4,5}/g, '$1:PORT')

/** Of the header by which notifications tell who sends them. */
export const withoutVersion = (text: string): string => text.replace(/^(user-agent: \w+)\/.*$/gim, '$1/VERSION')

/** The header is the real date, which Node writes. */
export const withoutDate = (text: string): string =>
  text.replace(/^date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/gim, (line) => `${line.slice(0, 5)} DATE`)

/**
 * Prometheus metrics: the values, which are what the process takes and how long things took; and which kinds of resource
 * Node holds open, with the lines of each.
 */
export const withoutMeasures = (answer: string): string =>
  answer
    .replace(/^nodejs_\w+\{.*\n/gm, '')
    .replace(/^(\w+(?:\{.*\})?) (?:[-+.\de]+|NaN)$/gm, '$1 N')
    .replace(/^content-length: \d+$/m, 'content-length: N')

/** Real time: it stands where the world's does, so that what is dated with it is the same in every run. */
export function stopRealTime(): () => void {
  const { now } = Date
  Date.now = () => Date.UTC(2026, 2, 7, 15)
  return () => {
    Date.now = now
  }
}
