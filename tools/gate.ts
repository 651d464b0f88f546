import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildAll } from './build.ts'
import { NIGHTLY } from './gate/nightly.ts'
import { GATE, type GatePart } from './gate/parts.ts'
import { formatTable, runParts } from './gate/run_parts.ts'
import { buildPackage } from './package/build.ts'
import { root } from './root.ts'

// Runs everything that must pass before a merge, after `.ci/run` has installed what it needs; `--nightly` runs what takes too
// long for that. `PART …` runs some parts, `--job NAME` those of one job. Prints a table, and the sum of all tests.

const USERS_OF_PACKAGE = ['ci-examples', 'package']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { nightly: { type: 'boolean', default: false }, job: { type: 'string' } },
})
const all: readonly GatePart[] = values.nightly ? NIGHTLY : GATE
const unknown = positionals.filter((name) => !all.some((part) => part.name === name))
const chosen = all.filter(
  ({ name, job }) => (positionals.length === 0 || positionals.includes(name)) && (values.job ?? job) === job,
)
if (unknown.length > 0 || chosen.length === 0) {
  const jobs = new Set(all.map(({ job }) => job))
  process.stderr.write(
    `there is no such part; parts: ${all.map(({ name }) => name).join(', ')}; jobs: ${[...jobs].join(', ')}\n`,
  )
  process.exit(2)
}

const skipped = chosen.filter(({ missing }) => missing?.() !== undefined)
const parts = chosen.filter((part) => !skipped.includes(part))
const print = (text: string) => process.stdout.write(text)
for (const { name, missing } of skipped) print(`${name}: skipped, needs ${missing!()}\n`)

const began = performance.now()
const seed = process.env.SEED ?? seedOfCommit()
print(`SEED=${seed} repeats the property tests: SEED=${seed} npm test -- FILE\n`)
// Parts that run beside each other find everything built.
await (parts.some(({ name }) => USERS_OF_PACKAGE.includes(name)) ? buildPackage() : buildAll())
const results = await runParts(parts, {
  cores: availableParallelism(),
  folder: mkdtempSync(join(tmpdir(), 'mercadito-gate-')),
  env: { ...process.env, SEED: seed },
  print,
})
print(`\n${formatTable(parts, results)}\n`)
const failed = results.filter(({ failure }) => failure !== undefined)
const seconds = (performance.now() - began) / 1000
print(`${parts.length - failed.length} of ${parts.length} parts passed in ${seconds.toFixed(0)} s\n`)
for (const { part, log } of failed) print(`${part.name} failed: ${log}\n`)
print(`${results.reduce((sum, { passed }) => sum + passed, 0)} passed, ${failed.length} failed\n`)
process.exit(failed.length > 0 ? 1 : 0)

/** The first digits of the commit's hash as a number; 1 outside of a repository. */
function seedOfCommit(): string {
  try {
    return String(
      Number.parseInt(execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).slice(0, 7), 16),
    )
  } catch {
    return '1'
  }
}
