import { differencesOf, type Exchange, type Plane } from './exchange.ts'
import { hasAnswers, readAnswers, writeAnswers, writeScript } from './fixtures.ts'
import { parts } from './parts.ts'

// `npm run record` records what the server answers, as fixtures that recorded.test.ts and recorded.long.ts compare with.
// Every part is recorded twice, and both must be the same. CONTRIBUTING.md has the flags and says what may be recorded.

const PLANES: Plane[] = ['fixed', 'control']
const words = process.argv.slice(2)
const [isFixed, makesCalls] = [words.includes('--fixed'), words.includes('--calls')]
const names = words.filter((word) => !word.startsWith('--'))

if (makesCalls) {
  const { SCRIPTS } = await import('./scripts/index.ts')
  for (const [name, make] of Object.entries(SCRIPTS)) {
    if (names.length > 0 && !names.includes(name)) continue
    const script = await make()
    writeScript(name, script)
    process.stdout.write(`${name}: ${script.calls.length} calls made\n`)
  }
}

const same = (one: Exchange[], other: Exchange[]) => JSON.stringify(one) === JSON.stringify(other)

for (const part of parts()) {
  if (names.length > 0 && !names.includes(part.name)) continue
  const start = performance.now()
  const exchanges = await part.run()
  const ms = Math.round(performance.now() - start)
  const again = await part.run()
  for (const plane of PLANES) {
    const of = (all: Exchange[]) => all.filter((one) => one.plane === plane)
    const those = of(exchanges)
    if (!same(those, of(again))) {
      throw new Error(`${part.name} differs from itself:\n${differencesOf(those, of(again)).join('\n')}`)
    }
    if (those.length === 0) continue
    const isKept = plane === 'fixed' && !isFixed && hasAnswers(part.name, plane)
    if (isKept && !same(readAnswers(part.name, plane), those)) {
      process.stdout.write(`${part.name}: ${plane} answers differ, and are kept as they were\n`)
      process.exitCode = 1
    }
    if (!isKept) writeAnswers(part.name, plane, those)
    process.stdout.write(`${part.name}: ${those.length} ${plane} answers${isKept ? ' kept' : ''}, ${ms} ms\n`)
  }
}
