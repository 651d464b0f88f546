import { differencesOf, writeAnswers } from './answers.ts'
import { linesOf } from './exchange.ts'
import { PROGRAMS } from './programs/index.ts'

// `npm run record` writes what the server answers to the files that recorded.test.ts compares with: all, or those that
// are named. Every program runs twice, and both must get the same answers.

const names = process.argv.slice(2)
const unknown = names.filter((name) => !Object.hasOwn(PROGRAMS, name))
if (unknown.length > 0) {
  process.stderr.write(`${unknown.join(', ')}: choose among ${Object.keys(PROGRAMS).join(', ')}\n`)
  process.exit(2)
}
for (const [name, run] of Object.entries(PROGRAMS)) {
  if (names.length > 0 && !names.includes(name)) continue
  const lines = linesOf(await run())
  const differences = differencesOf(lines, linesOf(await run()))
  if (differences.length > 0) throw new Error(`${name} differs from itself:\n${differences.join('\n')}`)
  writeAnswers(name, lines)
  process.stdout.write(`${name}: ${lines.length} answers\n`)
}
