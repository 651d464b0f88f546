import { readFileSync, writeFileSync } from 'node:fs'
import { measure, type Pace } from './peers/measure.ts'
import { startParticipants } from './peers/participants.ts'
import { report } from './peers/report.ts'
import { at, Load, progress } from './processes.ts'

// Our server, the minimum, a bare node:http server and other mock servers, with the same requests and answers. All of them
// run on the server's core; only the one that is measured is not stopped. Rounds are interleaved.

const PACE: Pace = { rounds: 7, turn: 0.5, warmUp: { java: 10, node: 3 } }
const QUICK: Pace = { rounds: 3, turn: 0.15, warmUp: { java: 2, node: 0.5 } }

/** Measures for ten minutes, or two when quick. Writes BENCHMARKS.md, with the sections on commits and clusters, and returns its text. */
export async function measurePeers({ quick, command }: { quick: boolean; command: string }): Promise<string> {
  const start = performance.now()
  const pace = quick ? QUICK : PACE
  const participants = await startParticipants()
  const load = new Load()
  const measured = await measure(participants, load, pace)
  load.stop()
  for (const { server } of participants.participants) await server.stop()
  const peers = report(participants, measured, { command, pace, seconds: (performance.now() - start) / 1000 })
  const sections = ['bench/commit.md', 'bench/cluster.md'].map((path) => readFileSync(at(path), 'utf8'))
  const text = [peers, ...sections].join('\n')
  writeFileSync(at('BENCHMARKS.md'), text)
  progress('BENCHMARKS.md is written')
  return text
}
