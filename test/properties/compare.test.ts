import { writeFileSync } from 'node:fs'
import t from 'tap'
import { buildWorld } from '../../compare/build_world.ts'
import { readCall } from '../../compare/calls.ts'
import { compare } from '../../compare/index.ts'
import { learn } from '../../compare/learn.ts'
import type { CallLine, Line } from '../../control/recording/format.ts'
import { NOW } from '../support/app.ts'
import { startCommandServer } from '../support/commands.ts'
import { readCalls } from '../support/compared_calls.ts'
import { recordCalls } from '../support/compared_server.ts'
import fc, { runs } from '../support/property.ts'
import { linesOf, recordingFolder } from '../support/recordings.ts'

const folder = recordingFolder(t)
const app = await startCommandServer(t)
const file = `${folder}/calls.jsonl`
// Of one seller: another site answers alike.
await recordCalls(
  file,
  app.url,
  app,
  (await readCalls(app, NOW)).filter(({ seller }) => seller !== 1),
)
const lines = linesOf(file)
const [header] = lines
const answered = lines.filter((line): line is CallLine => line.kind === 'call' && line.answer !== undefined)

/** Another value somewhere in a JSON value; `at` leads there. */
function replaceAt(value: unknown, [at, ...rest]: number[], by: unknown): unknown {
  if (at === undefined || typeof value !== 'object' || value === null) return by
  const entries = Object.entries(value)
  if (entries.length === 0) return by
  const [name, member] = entries[at % entries.length]!
  const changed = replaceAt(member, rest, by)
  if (Array.isArray(value)) return value.with(Number(name), changed)
  return { ...value, [name]: changed }
}

const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    null,
    '',
    -1,
    0,
    1e300,
    '2026-13-45',
    '2026-01-01T00:00:00Z',
    [],
    {},
    [null],
    { id: null },
    '\u0000',
    '\ud800',
  ),
)
/** Some of the calls in their order, with values replaced in the answers of a few: what one answer shows, others may lack. */
const changedLines = (calls: number) =>
  fc
    .record({
      few: fc.subarray(answered, { minLength: calls, maxLength: calls }),
      all: fc.array(
        fc.record({ call: fc.nat(), at: fc.array(fc.nat(20), { minLength: 1, maxLength: 5 }), by: anyValue }),
        { minLength: 1, maxLength: 10 },
      ),
    })
    .map(({ few, all }) => {
      const changed = new Map<Line, Line>()
      for (const { call, at, by } of all) {
        const line = few[call % few.length]!
        const json = line.answer!.startsWith('show(') ? undefined : JSON.parse(line.answer!)
        changed.set(line, { ...line, answer: JSON.stringify(replaceAt(json, at, by) ?? null) })
      }
      return few.map((line) => changed.get(line) ?? line)
    })

t.test('builds a world of any answers', async (t) => {
  fc.assert(
    fc.property(changedLines(80), (all) => {
      const { paths } = app.server
      const calls = all.flatMap((line) => (line.kind === 'call' ? (readCall(line, paths) ?? []) : []))
      buildWorld(learn(calls), calls.length, calls[0]!.at)
    }),
    { numRuns: runs(300) },
  )
  t.pass()
})

t.test('compares any answers', async (t) => {
  await fc.assert(
    fc.asyncProperty(changedLines(12), async (all) => {
      const changed = `${folder}/changed.jsonl`
      writeFileSync(changed, [header, ...all].map((line) => `${JSON.stringify(line)}\n`).join(''))
      const { calls, compared } = await compare(changed, { switches: {} })
      if (calls !== all.length || compared > calls) throw new Error('calls')
    }),
    { numRuns: runs(8) },
  )
  t.pass()
})
