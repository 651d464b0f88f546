import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Bytes of what V8 collects often, both halves: under load it would take twice as much and gain little by it. */
const MAX_YOUNG_BYTES = 32 * 1024 * 1024

/**
 * Keeps what a busy server takes of memory near what it needs. Where the person has told Node how large that space may
 * become, it is theirs.
 */
export function limitYoungGeneration(): void {
  if ([process.env.NODE_OPTIONS, ...process.execArgv].some((option) => option?.includes('semi-space'))) return
  let mayGrow = true
  // V8 takes the size itself only before it starts, but asks for the factor each time that it would let the space grow.
  const adjust = () => {
    const isSmall = getHeapSpaceStatistics().some(
      ({ space_name, space_size }) => space_name === 'new_space' && space_size < MAX_YOUNG_BYTES,
    )
    if (isSmall === mayGrow) return
    mayGrow = isSmall
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
  }
  adjust()
  new PerformanceObserver(adjust).observe({ entryTypes: ['gc'] })
}
