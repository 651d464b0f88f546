import { writeFileSync } from 'node:fs'
import { takePlaces } from './peers/entrants.ts'
import { measure, type Pace } from './peers/measure.ts'
import { report } from './peers/report.ts'
import { at, Load, progress } from './processes.ts'

// Ours, the honest minimum, the bare server and the mock servers that people use, one answer after the other the same:
// who is how fast on one core. Everybody runs at once on the server's core and waits for a turn; rounds interleave
// them.

const PACE: Pace = { rounds: 7, turn: 0.5, warmUp: { java: 10, node: 3 } }
const QUICK: Pace = { rounds: 3, turn: 0.15, warmUp: { java: 2, node: 0.5 } }

/** Measures for about ten minutes, or about two when quick, and writes BENCHMARKS.md. Answers what it wrote. */
export async function measurePeers({ quick, command }: { quick: boolean; command: string }): Promise<string> {
  const begun = performance.now()
  const pace = quick ? QUICK : PACE
  const field = await takePlaces()
  const load = new Load()
  const measured = await measure(field, load, pace)
  load.stop()
  for (const { server } of field.entrants) await server.stop()
  const text = report(field, measured, { command, pace, seconds: (performance.now() - begun) / 1000 })
  writeFileSync(at('BENCHMARKS.md'), text)
  progress('BENCHMARKS.md is written')
  return text
}
