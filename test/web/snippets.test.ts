import { execFileSync } from 'node:child_process'
import t from 'tap'
import { controlCurl, curl } from '../../web/snippets/curl.ts'

t.test('a call as curl', async (t) => {
  const call = { method: 'GET', url: 'http://h/items?ids=A,B', headers: {}, body: null, tokenVariable: null }
  t.equal(curl(call), "curl 'http://h/items?ids=A,B'")
  t.equal(curl({ ...call, method: 'HEAD', url: 'http://h/items' }), 'curl -I http://h/items')
  t.equal(
    curl({ ...call, method: 'POST', url: 'http://h/answers', body: '{"text":"it\'s"}', tokenVariable: 'TOKEN' }),
    `curl http://h/answers \\\n  -H "Authorization: Bearer $TOKEN" \\\n  --data-raw '{"text":"it'\\''s"}'`,
  )
  t.equal(
    controlCurl({ call: 'PATCH /items/{id}', input: { path: { id: 'a b' }, body: { price: 1 } } }, 'http://h', true),
    `curl -X PATCH http://h/_sandbox/items/a%20b \\\n  -H "Authorization: Bearer $MERCADITO_ADMIN_TOKEN" \\\n  --data-raw '{"price":1}'`,
  )
})

t.test('a shell passes hostile text to curl as it was sent', async (t) => {
  const body = `$(touch x) \`id\` "$HOME" 'quoted' \\ \n\u202e😀 ;&|`
  const command = curl({
    method: 'PUT',
    url: "http://h/it's?a=$HOME",
    headers: { 'x-a': `$(id) "b"` },
    body,
    tokenVariable: 'TOKEN',
  })
  const script = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }\nTOKEN='s3'\n${command}`
  const passed = execFileSync('sh', ['-c', script]).toString().split('\0').slice(0, -1)
  t.strictSame(passed, [
    '-X',
    'PUT',
    "http://h/it's?a=$HOME",
    '-H',
    'Authorization: Bearer s3',
    '-H',
    'x-a: $(id) "b"',
    '--data-raw',
    body,
  ])
})
