import type { Client } from '../../domains/shared/commands.ts'

/** A line on standard error about work in progress. */
interface Progress {
  /** Sets the amount that is done, in the unit of the progress. */
  update(done: number): void
  /** Replaces the line by a summary, or removes it if the work has failed. */
  end(hasSucceeded: boolean): void
}

export interface Amount {
  label: string
  done: number
  /** Unknown if 0. */
  total: number
  seconds: number
  format: (amount: number) => string
}

type Amounts = Pick<Amount, 'done' | 'total'>

interface ProgressOptions {
  total?: number
  /** Default: megabytes. */
  format?: (amount: number) => string
  /** Reads the progress of work that the server does; undefined: unknown. */
  read?: () => Promise<Amounts | undefined>
}

const REDRAW_INTERVAL_MS = 200
/** Work that ends earlier has no summary. */
const MIN_SUMMARY_MS = 1000

export const formatMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** Shows progress if standard error is a terminal. */
function startProgress(label: string, { total = 0, format = formatMegabytes, read }: ProgressOptions = {}): Progress {
  const { stderr } = process
  if (!stderr.isTTY) return { update() {}, end() {} }
  let done = 0
  let isUpdated = false
  const start = performance.now()
  const amount = (): Amount => ({ label, done, total, format, seconds: (performance.now() - start) / 1000 })
  let isReading = false
  const readNext = () => {
    if (!read || isReading) return
    isReading = true
    read()
      .then((answer) => {
        if (answer) ({ done, total } = answer)
        isReading = false
      })
      // An older server does not know the call: the line shows the time.
      .catch(() => {})
  }
  const timer = setInterval(() => {
    // A line that is longer than the terminal could not be replaced.
    const width = stderr.columns > 0 ? stderr.columns - 1 : undefined
    stderr.write(`\r\x1b[2K${formatProgress(amount()).slice(0, width)}`)
    readNext()
  }, REDRAW_INTERVAL_MS).unref()
  return {
    update(amount) {
      done = amount
      isUpdated = true
    },
    end(hasSucceeded) {
      clearInterval(timer)
      // The server has done more than when it was last asked.
      if (hasSucceeded && !isUpdated) done = total
      const hasSummary = hasSucceeded && performance.now() - start >= MIN_SUMMARY_MS
      stderr.write(`\r\x1b[2K${hasSummary ? `${formatSummary(amount())}\n` : ''}`)
    },
  }
}

/** Runs work with a progress line; the promise of the work is that of its result. */
export async function withProgress<A>(
  label: string,
  work: (progress: Progress) => Promise<A>,
  options?: ProgressOptions,
): Promise<A> {
  const progress = startProgress(label, options)
  let hasSucceeded = false
  try {
    const result = await work(progress)
    hasSucceeded = true
    return result
  } finally {
    progress.end(hasSucceeded)
  }
}

/** Reads the progress of this client's call, if it is the only one of its kind in the world. */
export const readServerProgress = (client: Client, operation: string) => async (): Promise<Amounts | undefined> => {
  const { results } = (await client.server.call('GET /progress')) as { results: (Amounts & Record<string, unknown>)[] }
  const [first, ...others] = results.filter(
    (one) => one.operation === operation && (one.world === null || one.world === client.world),
  )
  return others.length === 0 ? first : undefined
}

/** `load world.json  12.0 MB of 40.0 MB, 30 %, 8.0 MB/s, 4 s left`. */
export function formatProgress({ label, done, total, seconds, format }: Amount): string {
  const rate = done / seconds
  if (done === 0) return `${label}  ${seconds.toFixed(0)} s`
  if (total === 0) return `${label}  ${format(done)}, ${format(rate)}/s`
  if (done >= total) return `${label}  ${format(total)}, waiting for the server, ${seconds.toFixed(0)} s`
  const percent = Math.floor((100 * done) / total)
  return `${label}  ${format(done)} of ${format(total)}, ${percent} %, ${format(rate)}/s, ${Math.ceil((total - done) / rate)} s left`
}

/** `load world.json  40.0 MB in 5.0 s, 8.0 MB/s`. */
export const formatSummary = ({ label, done, seconds, format }: Amount): string =>
  done === 0
    ? `${label}  ${seconds.toFixed(1)} s`
    : `${label}  ${format(done)} in ${seconds.toFixed(1)} s, ${format(done / seconds)}/s`
