import t from 'tap'
import { inProcess, startCommandServer } from '../support/commands.ts'

const app = await startCommandServer(t, { scenario: 'empty' })
const { run, runJson, url, sellers } = app
const [seller] = sellers as [(typeof sellers)[0]]

t.test('why explains the latest refused call, or another one', async (t) => {
  t.strictSame(await run('why'), {
    code: 1,
    output: '',
    errors: 'mercadito: no recorded call was refused; `mercadito requests` lists the calls\n',
  })
  await seller.get('/sites/MLAA')
  await seller.get('/questions/search?limit=500')
  await seller.get('/users/me')
  t.strictSame(await run('why'), {
    code: 0,
    output: `request 2: GET /questions/search was refused with 400 by the check “The parameters of the query are allowed”. limit in the query was 500. Allowed: an integer from 0 to 100.
  ✓ The request is a well-formed HTTP request
  ✓ The server is not overloaded
  ✓ The world exists
  ✓ No fault is injected
  ✓ The path exists
  ✓ The path has this method
  ✓ A valid token is sent
  ✗ The parameters of the query are allowed
  · offset is not sent together with scroll_id
  · offset + limit is at most 1000, or the search is a scan
  · sort_fields and sort_types are known, and fit each other
  · date_created.from and date_created.to are dates, the first not after the second
  · seller_id is the caller
  · scroll_id is of a search of the caller, and not older than five minutes
  · The server can carry out the call
  rule: http.paging.bounds, docs/spec/http.md
      \`limit\` goes from 0 to the maximum of the resource, \`offset\` from 0 to 2^53−1.
  values of limit: 50
  fix: This would have worked: send 100 as limit. It was tried on a copy of the world as it is now, and answered with 200.
      GET /questions/search?limit=100
      authorization: Bearer {token of user ${seller.id}}
`,
    errors: '',
  })
  const { output } = await run('why 1 --lang es')
  t.match(output, 'request 1: GET /sites/MLAA se rechazó con 404 en la comprobación «El sitio existe».')
  t.match(output, 'enviar MLA como id')
  t.match(output, 'assumption: sites.not_found: ')
  const { id } = (await runJson('why 1')).request
  t.equal(id, 1)
  t.match(await run('why 3'), { code: 0, output: /answered with 200: nothing was refused/ })
  t.match(await run('why 99'), { code: 1, errors: /^mercadito: Request with id 99 not found/ })
  t.match(await run('why x'), { code: 2, errors: /must be an integer/ })
  t.match(await run('why 1 --lang fr'), { code: 2, errors: /allowed choices are en, es, pt/ })
})

const CALLS = `
  const { MERCADITO_URL, MERCADITO_TOKEN } = process.env
  const headers = { authorization: 'Bearer ' + MERCADITO_TOKEN }
  const times = Number(process.argv[1])
  for (let n = 0; n < times; n++) {
    const answer = await fetch(MERCADITO_URL + '/questions/' + (n + 1), { headers })
    if (n === 0) console.error('header', answer.headers.get('x-sandbox-explain'))
  }
  process.exit(Number(process.argv[2]))`
/** Its arguments: how many calls are refused, and the exit code. */
const program = (...args: string[]) => ['--', process.execPath, '--input-type=module', '-e', CALLS, ...args]

t.test('exec --explain explains the refused calls of a failed program', async (t) => {
  const exec = (...words: string[]) => inProcess('exec', '--scenario', 'empty', ...words)
  const failed = await exec('--explain', ...program('2', '3'))
  t.equal(failed.code, 3)
  t.match(failed.errors, /^\nRefused calls:\n\nrequest 1: GET \/questions\/1 was refused with 404/)
  t.match(failed.errors, '\n\nrequest 2: GET /questions/2 was refused')
  t.notMatch(failed.errors, '✓', 'without the checks that passed')
  t.strictSame(await exec(...program('2', '3')), { code: 3, output: '', errors: '' }, 'not without the flag')
  t.strictSame(await exec('--explain', ...program('2', '0')), { code: 0, output: '', errors: '' }, 'not if it succeeds')
  t.strictSame(await exec('--explain', ...program('0', '3')), { code: 3, output: '', errors: '' }, 'no refused calls')
  const many = await exec('--explain', ...program('12', '1'))
  t.match(many.errors, '2 earlier refused calls are not explained')
  t.equal(many.errors.match(/^request \d+: /gm)?.length, 10)
  t.match(many.errors, 'request 12: ')
  const remote = await exec('--explain', '--url', url, ...program('1', '4'))
  t.equal(remote.code, 4)
  t.match(remote.errors, 'request 1: GET /questions/1 was refused')
})
