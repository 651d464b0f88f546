import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Limit of V8's young generation, both semi-spaces. Under load V8 would use twice as much, with little gain. */
const MAX_YOUNG_BYTES = 32 * 1024 * 1024

/** Limits the memory of a busy server, unless an option of Node sets the size of the semi-spaces. */
export function limitYoungGeneration(): void {
  if ([process.env.NODE_OPTIONS, ...process.execArgv].some((option) => option?.includes('semi-space'))) return
  let mayGrow = true
  // V8 reads the maximum size only when it starts, but the growth factor each time that the space may grow.
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
