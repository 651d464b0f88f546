import type { Test } from 'tap'
import { differencesOf, type Plane } from './exchange.ts'
import { hasAnswers, readAnswers } from './fixtures.ts'
import { type Part, parts } from './parts.ts'

const PLANES: Plane[] = ['fixed', 'control']

/** Runs the parts that are meant, and compares every answer with the recorded one. */
export async function comparesAnswers(t: Test, isMeant: (part: Part) => boolean): Promise<void> {
  const those = parts().filter(isMeant)
  t.ok(those.length > 0)
  for (const { name, run } of those)
    await t.test(`${name} answers as recorded`, async (t) => {
      const exchanges = await run()
      for (const plane of PLANES) {
        const actual = exchanges.filter((one) => one.plane === plane)
        const expected = hasAnswers(name, plane) ? readAnswers(name, plane) : []
        const differences = differencesOf(expected, actual)
        for (const difference of differences) t.comment(`${name}, ${plane}, ${difference}`)
        t.equal(differences.length, 0, `${expected.length} ${plane} answers of ${name}`)
      }
    })
}
