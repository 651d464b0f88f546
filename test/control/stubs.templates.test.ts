import t from 'tap'
import { errorBody, ITEM, start } from '../support/app.ts'
import fc, { runs } from '../support/property.ts'

const app = await start(t)
const { control, call, seller } = app

const add = async (answer: object, match: object = { path: '/t' }): Promise<number> => {
  await control('DELETE /stubs')
  const { status, body, text } = await control('POST /stubs', { match, answer: { template: true, ...answer } })
  if (status !== 201) throw new Error(text)
  return body.id
}
const post = (body: unknown, url = '/t') => call({ method: 'POST', url, payload: JSON.stringify(body) })
/** The answer of a template to a call. */
const render = async (body: unknown, sent: unknown = {}, url = '/t') => {
  await add({ body })
  const answer = await post(sent, url)
  return answer.body ?? answer.text
}

t.test('values of the call, the clock and the count', async (t) => {
  await add(
    {
      body: {
        call: '{{method}} {{path}}',
        params: '{{params.a}} {{params.*}}',
        query: '{{query.q}}, {{query.many}}, {{query.access_token}}',
        headers: '{{headers.user-agent}} {{headers.authorization}}{{headers.cookie}}{{headers.proxy-authorization}}',
        body: '{{body.a.0.b}} {{body.missing}}{{body.text.length}}',
        time: '{{now}} {{now_ms}} {{date}}',
        hit: '{{hit}}',
      },
    },
    { path: '/t/{a}/*' },
  )
  const answer = await call({
    method: 'PUT',
    url: `/t/1%2F2/3/4?q=a+b&many=1&many=2&access_token=${seller.token}`,
    headers: { authorization: `Bearer ${seller.token}`, cookie: 'c=1', 'proxy-authorization': 'p', 'user-agent': 'ua' },
    payload: '{"a":[{"b":"é"}],"text":"x"}',
  })
  t.strictSame(answer.body, {
    call: 'PUT /t/1%2F2/3/4',
    params: '1/2 3/4',
    query: 'a b, ["1","2"], ',
    headers: 'ua ',
    body: 'é ',
    time: '2026-03-07T15:00:00.000Z 1772895600000 2026-03-07',
    hit: '1',
  })
  await control('POST /clock/advance', { by: 86_400_000 })
  const { body } = await call('/t/a/b')
  t.strictSame([body.time, body.hit], ['2026-03-08T15:00:00.000Z 1772982000000 2026-03-08', '2'])
  await control('POST /clock/advance', { by: -86_400_000 })
})

t.test('values of the world are found by their ids, and shown as the API shows them', async (t) => {
  const item = (await call(`/items/${ITEM}`)).body
  const user = (await call(`/users/${seller.id}`)).body
  const asked = await app.buyers[0]!.post('/questions', { item_id: ITEM, text: '¿Hay "stock"?' })
  const question = (await seller.get(`/questions/${asked.body.id}`)).body
  const body = { item: '{{{item}}}', user: '{{{user}}}', question: '{{{question}}}', title: '{{item.title}}' }
  const nothing = { item: null, user: null, question: null, title: '' }
  const rows: [url: string, sent: unknown, found: object][] = [
    ['/t', {}, {}],
    [`/t?item=${ITEM}`, {}, { item, title: item.title }],
    ['/t', { item_id: ITEM, seller_id: seller.id }, { item, title: item.title, user }],
    [`/t?user_id=${seller.id}&question_id=${asked.body.id}`, {}, { user, question }],
    ['/t?item_id=MLA9&user_id=1&question_id=9', {}, {}],
    ['/t?item_id=constructor&user_id=__proto__', { question_id: { toString: 1 } }, {}],
  ]
  for (const [url, sent, found] of rows)
    t.strictSame(await render(body, sent, url), { ...nothing, ...found }, `${url} ${JSON.stringify(sent)}`)
  await add({ body }, { path: '/t/{id}' })
  t.strictSame((await call(`/t/${ITEM}`)).body, { ...nothing, item, title: item.title })
  t.strictSame((await call(`/t/${asked.body.id}`)).body.question, question)
  t.strictSame((await seller.get('/t/x')).body, { ...nothing, user }, 'the caller')
})

t.test('in JSON a text that is one raw tag becomes the value itself', async (t) => {
  const sent = { n: 1.5, list: [1, { a: null }], yes: true, text: '12', none: null }
  const rows: [template: unknown, value: unknown][] = [
    ['{{{body.n}}}', 1.5],
    ['{{&body.list}}', sent.list],
    ['{{{body.yes}}}', true],
    ['{{{body.text}}}', '12'],
    ['{{{body.none}}}', null],
    ['{{{body.missing}}}', null],
    ['{{{query.n}}}', 25],
    ['{{{query.zero}}}', '007'],
    ['{{query.n}}', '25'],
    [' {{{query.n}}}', ' 25'],
    ['{{{body.n}}}{{{body.n}}}', '1.51.5'],
    ['{{body.list}}', '[1,{"a":null}]'],
    [[{ '{{now}}': '{{body.yes}}' }], [{ '{{now}}': 'true' }]],
    [5, 5],
    [null, null],
  ]
  for (const [template, value] of rows)
    t.strictSame(await render({ value: template }, sent, '/t?n=25&zero=007'), { value }, JSON.stringify(template))
})

t.test('sections repeat and leave out', async (t) => {
  const sent = { list: [{ a: 1 }, { a: 2 }], names: ['x', 'y'], empty: [] }
  const rows: [template: string, text: string][] = [
    ['{{#body.list}}{{a}},{{/body.list}}', '1,2,'],
    ['{{#body.names}}<{{.}}>{{/body.names}}', '<x><y>'],
    ['{{#body.list}}{{body.names.1}}{{/body.list}}', 'yy'],
    ['{{^body.empty}}none{{/body.empty}}{{^body.missing}}!{{/body.missing}}', 'none!'],
    ['{{query.limit}}{{^query.limit}}50{{/query.limit}}', '50'],
    ['{{! a comment }}{{=<% %>=}}<% body.names.0 %>', 'x'],
  ]
  for (const [template, text] of rows) t.equal(await render(template, sent), text, template)
})

t.test('texts are escaped for their type, but for raw tags', async (t) => {
  const sent = { x: `<a href="x">'&\n` }
  const escaped = '&lt;a href&#x3D;&quot;x&quot;&gt;&#39;&amp;\n'
  const rows: [type: string, text: string][] = [
    ['text/html', escaped],
    ['text/html; charset=utf-8', escaped],
    ['application/xhtml+xml', escaped],
    ['application/xml', escaped],
    ['image/svg+xml', escaped],
    ['model/x.y-z+xml; charset=utf-8', escaped],
    ['text/xsl', escaped],
    ['text/plain', sent.x],
    ['text/csv', sent.x],
  ]
  for (const [type, text] of rows) {
    await add({ body: '{{body.x}}|{{{body.x}}}', headers: { 'content-type': type } })
    t.equal((await post(sent)).text, `${text}|${sent.x}`, type)
  }
})

/** A text with characters that mean something in JSON or in a template. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
  fc
    .array(
      fc.constantFrom('"', '\\', '{{', '}}', '{{{now}}}', '\n', '\u2028', '\0', '",', 'x":', '}', ']', '</script>'),
    )
    .map((parts) => parts.join('')),
)

t.test('whatever is sent, a JSON answer is JSON in which the values are as sent', async (t) => {
  await add({
    body: {
      whole: '{{body.text}}',
      within: ['a "{{body.text}}" b', { raw: '-{{{body.text}}}-' }],
      value: '{{{body.value}}}',
      list: '{{#body.list}}[{{.}}]{{/body.list}}',
      query: '{{query.text}}',
    },
  })
  await fc.assert(
    fc.asyncProperty(anyText, fc.jsonValue(), fc.array(anyText, { maxLength: 3 }), async (text, value, list) => {
      const answer = await post({ text, value, list }, `/t?text=${encodeURIComponent(text)}`)
      t.strictSame(
        [answer.status, answer.body],
        [
          200,
          {
            whole: text,
            within: [`a "${text}" b`, { raw: `-${text}-` }],
            value: JSON.parse(JSON.stringify(value)),
            list: list.map((one) => `[${one}]`).join(''),
            query: text,
          },
        ],
      )
    }),
    { numRuns: runs(200) },
  )
})

t.test('templates reach no prototype, function or length', async (t) => {
  const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'length', 'map', '0.constructor.name']
  for (const place of ['body', 'body.list', 'body.text', 'query', 'headers'])
    for (const name of names) {
      const value = `${place}.${name}`
      t.equal(
        await render(`{{${value}}}{{{${value}}}}{{#${value}}}x{{/${value}}}`, { list: [1], text: 'abc' }),
        '',
        value,
      )
    }
  for (const value of ['{{#body}}{{constructor}}{{/body}}', '{{#body.list}}{{constructor.constructor}}{{/body.list}}'])
    t.equal(await render(value, { list: [{}] }), '')
  const own = JSON.parse('{"__proto__":{"x":"own"},"constructor":"c"}')
  t.equal(await render('{{body.__proto__.x}}{{body.constructor}}', own), 'ownc', 'members that were sent are values')
})

t.test('templates are checked to the last member, where a value has only those', async (t) => {
  const rows: [template: string, problem: string][] = [
    ['{{path.order_id}}', 'path is a text; the parameter is params.order_id'],
    ['{{path.id}}', 'path has no members'],
    ['{{params.order}}', 'params has no member order (Did you mean order_id?)'],
    ['{{params.constructor}}', 'params has no member constructor; it has order_id'],
    ['{{{user.nickame}}}', 'user has no member nickame (Did you mean nickname?)'],
    ['{{user.password}}', 'user has no member password; it has '],
    ['{{#item.shipping.mod}}x{{/item.shipping.mod}}', 'item.shipping has no member mod (Did you mean mode?)'],
    ['{{^question.from.nick}}x{{/question.from.nick}}', 'question.from has no member nick; it has id'],
    ['{{now.year}}', 'now has no members'],
    ['{{item.title.0}}', 'item.title has no members'],
  ]
  for (const [template, problem] of rows) {
    const name = /\w[\w.]*/.exec(template)![0]
    const { status, body } = await control('POST /stubs', {
      match: { path: '/t/{order_id}' },
      answer: { body: { a: template }, template: true },
    })
    t.equal(status, 400, template)
    t.equal(
      body.message.slice(0, `answer.body: {{${name}}}: ${problem}`.length),
      `answer.body: {{${name}}}: ${problem}`,
    )
  }
  const fine =
    '{{params.order_id}}{{query.a.b}}{{body.a.b.0}}{{item.shipping.tags.0}}{{#body}}{{path.x}}{{/body}}{{question.answer.text}}'
  const id = await add({ body: fine }, { path: '/t/{order_id}' })
  t.equal((await control(`PATCH /stubs/${id}`, { match: { path: '/t' } })).status, 400, 'the parameter is gone')
  t.equal((await control(`PATCH /stubs/${id}`, { times: 2 })).status, 200)
})

t.test('answers that would be too large are errors that name the stub', async (t) => {
  const list = Array(200).fill(0)
  const nested = '{{#body.list}}{{#body.list}}{{#body.list}}{{/body.list}}{{/body.list}}{{/body.list}}'
  const repeated = '{{#body.list}}{{body.long}}{{/body.list}}'
  const rows: [body: unknown, problem: string][] = [
    [nested, 'has more than 10000 sections and elements'],
    [{ a: [nested] }, 'has more than 10000 sections and elements'],
    [repeated, 'has more than 1048576 characters'],
    [{ a: Array(200).fill('{{{body.long}}}') }, 'has more than 1048576 characters'],
    [{ a: Array(200).fill('{{body.long}}') }, 'has more than 1048576 characters'],
  ]
  for (const [body, problem] of rows) {
    const id = await add({ body })
    t.strictSame(
      (await post({ list, long: 'x'.repeat(10_000) })).body,
      errorBody(500, 'stub_failed', `The answer of stub ${id} ${problem}`),
    )
  }
  const id = await add({ body: { deep: '{{{body}}}' } })
  const deep = await call({ method: 'POST', url: '/t', payload: '['.repeat(200_000) + ']'.repeat(200_000) })
  t.strictSame(deep.body, errorBody(500, 'stub_failed', `The answer of stub ${id} has a value with too many levels`))
  t.match(await control(`GET /requests?order=desc&limit=1`), {
    body: { results: [{ stub: id, response: { status: 500 } }] },
  })
})

t.test('a body without template is sent as it is', async (t) => {
  await add({ body: { a: '{{now}}' }, template: false })
  t.equal((await call('/t')).text, '{"a":"{{now}}"}')
  await add({ body: '{"broken": {{now}', headers: { 'content-type': 'application/json' }, template: false })
  t.equal((await app.server.inject('/t')).payload, '{"broken": {{now}')
})
