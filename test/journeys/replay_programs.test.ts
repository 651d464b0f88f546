import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { formatReport } from '../../bin/commands/replay.ts'
import { replay } from '../../replay/index.ts'
import { openOwnTarget } from '../../replay/own_target.ts'
import { stopRealTime } from '../recorded/normal.ts'
import type { TestApp } from '../support/app.ts'
import { recordingFolder, recordRun } from '../support/recordings.ts'
import { PROGRAMS } from '../support/replayed_programs.ts'
import { createSmallWorld } from '../support/small_world.ts'

// What programs of all domains call is recorded and replayed at once: two runs of the same program.

const folder = recordingFolder(t)
const load = `${folder}/world.json`
writeFileSync(load, await createSmallWorld())

const replayOf = (file: string) =>
  replay(file, ({ deliveries, isDeterministic }) => openOwnTarget(deliveries, isDeterministic))

async function record(file: string, program: (app: TestApp) => Promise<unknown>): Promise<void> {
  const resumeRealTime = stopRealTime()
  try {
    await recordRun(file, { load }, async (app) => {
      const inject = app.server.inject.bind(app.server) as (call: object) => Promise<unknown>
      // A closed connection must not end the program.
      const injectAny = (call: object) => inject(call).catch(() => ({ statusCode: 0, headers: {}, payload: '' }))
      app.server.inject = injectAny as never
      await program(app)
    })
  } finally {
    resumeRealTime()
  }
}

for (const [name, program] of Object.entries(PROGRAMS))
  t.test(`a replay of ${name} gets the answers that were recorded`, async (t) => {
    const file = `${folder}/${name}.jsonl`
    await record(file, program)
    const report = await replayOf(file)
    if (report.different > 0) t.comment(formatReport(report))
    t.equal(report.different, 0)
    t.ok(report.compared.whole > 5)
    t.equal(report.not_sent, 0)
  })

t.test('sends all calls of a bundle of an earlier version', async (t) => {
  const report = await replayOf(fileURLToPath(new URL('../fixtures/questions-0.1.0.bundle', import.meta.url)))
  // Answers may have changed since.
  t.equal(report.not_sent, 0)
  t.ok(report.compared.whole > 50)
})
