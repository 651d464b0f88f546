import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { inProcess, startCommandServer } from '../support/commands.ts'

const { url, control } = await startCommandServer(t, { scenario: 'empty' })
const folder = mkdtempSync(join(tmpdir(), 'mercadito-exec-audit-'))
t.teardown(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'audit')
const report = () => readFileSync(file, 'utf8')

/** A program that reads with a misspelled parameter in each of so many worlds of its own, is refused there, and ends with a code. */
const PROGRAM = `
const [worlds, code] = process.argv.slice(1).map(Number)
const at = process.env.MERCADITO_URL + '/_sandbox/worlds'
for (let n = 1; n <= worlds; n++) {
  const answer = await fetch(at, { method: 'POST', body: JSON.stringify({ scenario: 'quiet', name: 'test ' + n }) })
  const { url, world, sellers: [{ id, token }] } = await answer.json()
  const headers = { authorization: 'Bearer ' + token }
  await fetch(url + '/questions/search?seler_id=' + id, { headers })
  await fetch(url + '/questions/1', { headers })
  await fetch(at + '/' + world.id, { method: 'DELETE' })
}
process.exit(code)`
const program = (worlds: number, code: number) =>
  worlds === 0
    ? ['--', 'sh', '-c', `exit ${code}`]
    : ['--', process.execPath, '--input-type=module', '-e', PROGRAM, '--', String(worlds), String(code)]
/** Runs it with a server of its own, or with the one of this test. */
const exec = (isRemote: boolean, flags: string[], command: string[]) =>
  inProcess('exec', '--scenario', 'empty', ...(isRemote ? ['--url', url] : []), ...flags, ...command)

const WROTE = `mercadito: wrote ${file}: 1 finding (1 warn) in 4 requests and 0 notifications of 3 worlds; 2 of N operations used, 1 of 6 situations met\n`
const NOTHING = `mercadito: wrote ${file}: no findings in 0 requests and 0 notifications of 1 world; 0 of N operations used, 0 of 0 situations met\n`
/** The number of operations grows. */
const withoutTotal = (text: string) => text.replace(/of \d+ operations/, 'of N operations')
const FOUND = 'mercadito: 1 finding of severity warn or above\n'
const NO_CALL = 'mercadito: no call was seen; does the program use the address in MERCADITO_URL?\n'

for (const isRemote of [false, true]) {
  const where = isRemote ? 'on a running server' : 'with its own server'

  t.test(`exec --audit ${where}: the exit code is that of the program, else that of --fail-on`, async (t) => {
    const rows: [flags: string, worlds: number, program: number, code: number, errors: string][] = [
      ['', 2, 0, 0, WROTE],
      ['', 2, 7, 7, WROTE],
      ['--fail-on error', 2, 0, 0, WROTE],
      ['--fail-on warn', 2, 0, 3, WROTE + FOUND],
      ['--fail-on warn', 2, 7, 7, WROTE + FOUND],
      ['', 0, 0, 0, NOTHING],
      ['--fail-on error', 0, 0, 1, NOTHING + NO_CALL],
      ['--fail-on error', 0, 7, 7, NOTHING + NO_CALL],
    ]
    for (const [flags, worlds, code, expected, errors] of rows) {
      const given = ['--audit', file, ...flags.split(' ').filter(Boolean)]
      const result = await exec(isRemote, given, program(worlds, code))
      const seen = { ...result, errors: withoutTotal(result.errors) }
      t.strictSame(seen, { code: expected, output: '', errors }, `${flags} ${worlds} ${code}`)
      t.match(report(), ` failures="${worlds > 0 && !flags.endsWith('error') ? 1 : 0}" `)
      rmSync(file)
    }
    t.match((await control('GET /worlds')).body.paging, { total: 1 }, 'no world is left')
  })

  t.test(`exec --explain ${where}: explains calls in worlds that were deleted`, async (t) => {
    const { code, errors } = await exec(isRemote, ['--explain'], program(2, 4))
    t.equal(code, 4)
    t.match(errors, /^\nRefused calls:\n\nworld \d+ \(test 1\), request 2: GET \/questions\/1 was refused/)
    t.match(errors, /\n\nworld \d+ \(test 2\), request 2: GET \/questions\/1 was refused/)
    t.strictSame(await exec(isRemote, ['--explain'], program(2, 0)), { code: 0, output: '', errors: '' })
  })
}

t.test('exec --audit-format chooses the report, which names the worlds', async (t) => {
  const write = async (format?: string) => {
    await exec(false, ['--force', '--audit', file, ...(format ? ['--audit-format', format] : [])], program(2, 0))
    return report()
  }
  const places = 'seen 2 times; world 2 (test 1): requests 1; world 3 (test 2): requests 1'
  t.match(await write(), `${places}\n`)
  const [junit, text] = [report(), await write('text')]
  const [json, sarif] = [JSON.parse(await write('json')), JSON.parse(await write('sarif'))]
  t.match(junit, / failures="1" /)
  t.match(text, `       ${places}\n`)
  const covered = /\nGET \/questions\/search +2 +200 × 2\n(?:.*\n)*2 of N operations used, 1 of 6 situations met/
  for (const report of [junit, text]) t.match(withoutTotal(report), covered)
  const coverage = { calls: 4, other: 0, situations: { length: 6 } }
  const evidence = { count: 2, subjects: ['GET /questions/search: query seler_id (seller_id?)'] }
  t.match(json, { audited: { requests: 4, worlds: 3 }, findings: [{ evidence }], coverage })
  const [run] = sarif.runs
  t.match(run.properties, { coverage })
  t.match(run.results, [
    { locations: [{ physicalLocation: { artifactLocation: { uri: 'w/2/_sandbox/requests/1' } } }] },
  ])
})

t.test('exec --json has the exit code of the audit', async (t) => {
  const { code, output } = await exec(false, ['--json', '--force', '--audit', file, '--fail-on', 'warn'], program(1, 0))
  t.match([code, JSON.parse(output)], [3, { exit_code: 3 }])
})

t.test('exec rejects flags without --audit, and fails if the report cannot be written', async (t) => {
  const usage = (text: string) => ({ code: 2, output: '', errors: `mercadito: ${text}\n` })
  t.strictSame(await exec(true, ['--fail-on', 'warn'], program(0, 0)), usage('--fail-on needs --audit'))
  t.strictSame(await exec(true, ['--audit-format', 'text'], program(0, 0)), usage('--audit-format needs --audit'))
  const unwritable = ['--audit', join(folder, 'no', 'audit')]
  t.match(await exec(true, unwritable, program(1, 0)), { code: 1, errors: /cannot write .*ENOENT/ })
  t.match(await exec(true, unwritable, program(1, 7)), { code: 7, errors: /cannot write .*ENOENT/ })
  t.notOk(readdirSync(folder).includes('no'))
})

t.test('exec refuses a report that exists before it runs the program, unless --force is given', async (t) => {
  writeFileSync(file, 'mine')
  const refused = { code: 2, output: '', errors: `mercadito: ${file} exists; add --force to replace it\n` }
  t.strictSame(await exec(false, ['--audit', file], program(1, 7)), refused)
  t.equal(report(), 'mine')
  t.equal((await exec(false, ['--audit', file, '--force'], program(1, 7))).code, 7)
  t.match(report(), '<testsuites')
  t.match(await exec(false, ['--force'], program(0, 0)), { code: 2, errors: 'mercadito: --force needs --audit\n' })
})
