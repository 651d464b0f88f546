import { globSync, statSync } from 'node:fs'
import t from 'tap'
import { formatReport } from '../../bin/commands/replay.ts'
import { openOwnTarget } from '../../bin/replay/own_target.ts'
import { replay } from '../../bin/replay/replay.ts'
import { BUNDLES } from './bundles.ts'
import { PROGRAMS } from './programs.ts'

// Bundles that an earlier version has recorded get the same answers: run `npm run corpus` after an intended change.

const MAX_BYTES = 300_000
const files = globSync('*.bundle', { cwd: BUNDLES }).sort()

t.test('there is a bundle of every program, and all are small', async (t) => {
  t.strictSame(
    files,
    Object.keys(PROGRAMS)
      .map((name) => `${name}.bundle`)
      .sort(),
  )
  t.ok(files.reduce((sum, file) => sum + statSync(`${BUNDLES}/${file}`).size, 0) < MAX_BYTES)
})

for (const file of files)
  t.test(`${file} is answered as it was recorded`, async (t) => {
    const report = await replay(`${BUNDLES}/${file}`, (overview) =>
      openOwnTarget(overview.deliveries, overview.isDeterministic),
    )
    if (report.different > 0) t.comment(formatReport(report))
    t.equal(report.different, 0)
    t.ok(report.compared.whole > 5)
    t.equal(report.not_sent, 0)
  })
