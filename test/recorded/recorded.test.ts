import t from 'tap'
import { differencesOf, readAnswers } from './answers.ts'
import { linesOf } from './exchange.ts'
import { PROGRAMS } from './programs/index.ts'

for (const [name, run] of Object.entries(PROGRAMS))
  t.test(`${name}: all answers are as they were recorded`, async (t) => {
    const recorded = readAnswers(name)
    const differences = differencesOf(recorded, linesOf(await run()))
    for (const difference of differences) t.comment(difference)
    t.strictSame(differences, [], `${recorded.length} answers`)
  })
