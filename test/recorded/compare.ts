import type { Test } from 'tap'
import { differencesOf, type Plane } from './exchange.ts'
import { hasAnswers, readAnswers } from './fixtures.ts'
import { type Part, parts } from './parts.ts'

const PLANES: Plane[] = ['fixed', 'control']

/** Runs the selected parts, and compares each answer with the recorded one. */
export async function compareAnswers(t: Test, isSelected: (part: Part) => boolean): Promise<void> {
  const selected = parts().filter(isSelected)
  t.ok(selected.length > 0)
  for (const { name, run } of selected)
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
