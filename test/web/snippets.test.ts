import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import type { RequestMade } from '../../lib/types.ts'
import {
  askAgain,
  callOf,
  controlCurl,
  curl,
  fixedCall,
  type HttpCall,
  type TestedCall,
  testOf,
  withVariable,
} from '../../web/snippets/call.ts'
import { SNIPPETS } from '../../web/snippets/index.ts'
import { start } from '../support/app.ts'

const GET: HttpCall = { method: 'GET', url: ['http://h/items?ids=A,B'], headers: {}, body: null, tokenVariable: null }

t.test('a call as curl', async (t) => {
  t.equal(curl(GET), "curl 'http://h/items?ids=A,B'")
  t.equal(curl({ ...GET, method: 'HEAD', url: ['http://h/items'] }), 'curl -I http://h/items')
  t.equal(
    curl({ ...GET, method: 'POST', url: ['http://h/answers'], body: ['{"text":"it\'s"}'], tokenVariable: 'TOKEN' }),
    `curl http://h/answers \\\n  -H "Authorization: Bearer $TOKEN" \\\n  --data-raw '{"text":"it'\\''s"}'`,
  )
  t.equal(
    controlCurl({ call: 'PATCH /items/{id}', input: { path: { id: 'a b' }, body: { price: 1 } } }, 'http://h', true),
    `curl -X PATCH http://h/_sandbox/items/a%20b \\\n  -H "Authorization: Bearer $MERCADITO_ADMIN_TOKEN" \\\n  --data-raw '{"price":1}'`,
  )
})

t.test('the call of a fix: without the text in the place of its token', async (t) => {
  const request = { method: 'GET', path: '/items?ids=A%2CB', headers: { 'x-a': '1' }, body: null }
  const call = { ...GET, url: ['http://h/items?ids=A%2CB'], headers: { 'x-a': '1' } }
  t.strictSame(fixedCall(request, 'http://h'), call)
  const headers = { authorization: 'Bearer {token of user 1}', 'x-a': '1' }
  const sent = { ...request, method: 'POST', headers, body: '{}' }
  t.strictSame(fixedCall(sent, 'http://h'), { ...call, method: 'POST', body: ['{}'], tokenVariable: 'MERCADITO_TOKEN' })
})

const HOSTILE = `$(touch x) \`id\` "$HOME" 'quoted' \\ \n\t\u2028\u202e😀 ;&| ?> */ {{x}} #{x} \${x}`

t.test('a shell passes hostile text to curl as it was sent', async (t) => {
  const command = curl({
    method: 'PUT',
    url: ["http://h/it's?a=$HOME&b=", { variable: 'question' }],
    headers: { 'x-a': `$(id) "b"` },
    body: [HOSTILE],
    tokenVariable: 'TOKEN',
  })
  const script = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }\nTOKEN='s3'\nquestion=7\n${command}`
  const passed = execFileSync('sh', ['-c', script]).toString().split('\0').slice(0, -1)
  t.strictSame(passed, [
    ...['-X', 'PUT', "http://h/it's?a=$HOME&b=7"],
    ...['-H', 'Authorization: Bearer s3', '-H', 'x-a: $(id) "b"'],
    ...['--data-raw', HOSTILE],
  ])
})

const PROGRAMS: Record<string, { command: string; file: string }> = {
  curl: { command: 'sh', file: 'call.sh' },
  node: { command: process.execPath, file: 'call.mjs' },
  python: { command: 'python3', file: 'call.py' },
  php: { command: 'php', file: 'call.php' },
}
const run = promisify(execFile)
const hasProgram = (command: string) =>
  run(command, ['--version']).then(
    () => true,
    () => false,
  )

t.test('copied calls and tests run against a server', async (t) => {
  const app = await start(t)
  const base = await app.server.listen({ port: 0, host: '127.0.0.1' })
  const { token } = app.sellers[0]!
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-snippets-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const runFile = async (name: string, text: string) => {
    const { command, file } = PROGRAMS[name]!
    writeFileSync(join(folder, file), text)
    const env = { ...process.env, MERCADITO_TOKEN: token }
    return (await run(command, [file], { cwd: folder, env })).stdout
  }
  const asked = (await app.control('POST /questions', { item_id: 'MLA1400000001', text: HOSTILE })).body
  const send = (path: string, body?: unknown) =>
    fetch(base + path, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
  await send(`/questions/${asked.id}?a=${encodeURIComponent(HOSTILE)}`)
  await send('/answers', { question: asked.id, text: HOSTILE })
  await send('/answers', { question_id: asked.id, text: HOSTILE })
  const recorded: RequestMade[] = (await app.control('GET /requests')).body.results
  t.strictSame(
    recorded.map(({ response }) => response.status),
    [200, 400, 200],
  )
  await send(`/items/${encodeURIComponent(HOSTILE.replaceAll('/', ''))}`)
  const latest = async (): Promise<RequestMade> =>
    (await app.control('GET /requests?order=desc&limit=1')).body.results[0]
  const chain: TestedCall[] = [
    askAgain(asked, base),
    ...recorded.map((one) => withVariable(testOf(one, base), String(asked.id), 'question')),
  ]

  const calls = [...recorded.slice(0, 2), await latest()]

  for (const { name, call, test } of SNIPPETS) {
    const { command } = PROGRAMS[name]!
    const skip = !(await hasProgram(command === 'sh' ? 'curl' : command)) && `${name} is not installed`
    await t.test(name, { skip }, async (t) => {
      for (const one of calls) {
        await runFile(name, call(callOf(one, base)))
        const { method, path, query, body, user_id, response } = await latest()
        t.strictSame(
          { method, path, query, body, user_id, status: response.status },
          { ...pick(one), status: one.response.status },
        )
      }
      if (!test) return
      await runFile(name, test(HOSTILE, chain))
      const { path, body, response } = await latest()
      t.match({ path, status: response.status }, { path: '/answers', status: 200 })
      t.not(JSON.parse(body!).question_id, asked.id, 'the number is that of the new question')
      const failing = chain.map((one) => ({ ...one, status: 418 }))
      await t.rejects(runFile(name, test('fails', failing)))
      const wrong = chain.map((one) => ({ ...one, members: { ...one.members, status: 'wrong' } }))
      await t.rejects(runFile(name, test('fails', wrong)))
    })
  }
})
const pick = ({ method, path, query, body, user_id }: RequestMade) => ({ method, path, query, body, user_id })
