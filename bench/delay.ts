import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

// Loaded into a server before it starts (`--import bench/delay.ts?report=<file>`): at each SIGUSR2 it writes how long the
// loop was blocked since the last one.

/** Ms. */
export interface Delays {
  longest: number
  p99: number
}

const report = new URL(import.meta.url).searchParams.get('report')!
const delays = monitorEventLoopDelay({ resolution: 1 })
delays.enable()
process.on('SIGUSR2', () => {
  const told: Delays = { longest: delays.max / 1e6, p99: delays.percentile(99) / 1e6 }
  delays.reset()
  writeFileSync(report, JSON.stringify(told))
})
