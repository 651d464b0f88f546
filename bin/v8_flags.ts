import { PerformanceObserver } from 'node:perf_hooks'
import { cachedDataVersionTag, getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import rows from './v8_flags.json' with { type: 'json' }

// Flags of V8 in the process of a server. bin/v8_flags.json has them with V8's own values, for bin/code_cache.cjs.
//
// semi-space-growth-factor: the size of the young generation. With less than 8 MB writes take 10 % more time; with 16 MB a read
//   after a write takes up to 5 % less, but a server under load 9 MB more. Repeated reads take the same with any size.
// opt: TurboFan, the compiler of code that runs very often. In a start it took some percent of the time and 5 MB, and little ran
//   that often. Without Maglev, the compiler before it, writes took 6 % more time for good.
// heap-growing-percent: V8 lets the heap grow to four times its size before it collects garbage. With 50 a server under load has
//   15 MB less than with 110, and takes the same time.
// memory-reducer-favors-memory: it drops compiled code of an idle server, whose next requests took a third more CPU time.

interface Row {
  flag: string
  /** V8's own value. */
  initial: string
  /** It has V8's own value from then on. */
  untilReady?: boolean
  /** The first version of Node that has it. */
  since?: number
}

/** Bytes of both halves of the young generation. */
const MAX_YOUNG_BYTES = 8 * 1024 * 1024
/** A start that takes longer, ms, may run much code often. */
const SHORT_START_MS = 1000

/** V8 reads a maximum only when it starts, but this factor whenever the space may grow. */
const setGrowth = (factor: 1 | 2) => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

/** An option of Node takes precedence. */
const isSizeGiven = [process.env.NODE_OPTIONS, ...process.execArgv].some((option) => option?.includes('semi-space'))

/** V8's own values of the flags of the start, while a server starts. */
let afterStart: string[] | undefined

/** Before the server is evaluated. */
export function setStartFlags(): void {
  const version = Number.parseInt(process.versions.node, 10)
  afterStart = []
  for (const { flag, initial, untilReady, since = 0 } of rows as Row[]) {
    if (version < since || (isSizeGiven && flag.includes('semi-space'))) continue
    const before = cachedDataVersionTag()
    setFlagsFromString(flag)
    // An option of Node may have set it already.
    if (untilReady && cachedDataVersionTag() !== before) afterStart.push(initial)
  }
  setTimeout(setReadyFlags, SHORT_START_MS).unref()
}

/** When the server listens. The young generation may grow to its limit, again after V8 has shrunk it while the server was idle. */
export function setReadyFlags(): void {
  if (!afterStart) return
  for (const flag of afterStart) setFlagsFromString(flag)
  afterStart = undefined
  if (isSizeGiven) return
  const observer = new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    setGrowth(young === undefined || young.space_size < MAX_YOUNG_BYTES ? 2 : 1)
  })
  observer.observe({ entryTypes: ['gc'] })
}
