import t from 'tap'
import { start } from '../support/app.ts'

const app = await start(t)
const { control, call, sellers } = app
const [seller] = sellers as [(typeof sellers)[0]]
t.test('x', async (t) => {
  const created = await control('POST /stubs', { match: { method: 'GET', path: '/orders/{order_id}' , query: {q: '*'}}, answer: { body: { id: '{{params.order_id}}', n: '{{{params.order_id}}}', u: '{{user.nickname}}', now: '{{now}}', s: '{{{hit}}}', item: '{{{item}}}' }, template: true } })
  console.log(created.status, created.text)
  console.log((await call('/orders/55?q=1&item_id=MLA1400000001')).text)
  console.log((await seller.get('/orders/55?q=1&attributes=id,u')).text)
  console.log((await call('/orders/55?q=1&callback=f')).text)
  console.log((await call('/orders/55')).text)
  console.log((await call({method:'POST', url: '/orders/55?q=1', payload: '{}'})).text)
  console.log((await call({method:'HEAD', url: '/orders/55?q=1'})).headers)
  console.log((await call({method:'OPTIONS', url: '/orders/55?q=1', headers: {'access-control-request-method': 'GET'}})).headers)
  console.log((await call({method:'GET', url: '/orders/55?q=1', headers: {authorization: 'Bearer x'}})).text)
  console.log((await control('POST /stubs', { match: { path: '/items/{id}' }, answer: {} })).text)
  console.log((await control('POST /stubs', { match: { method: 'GET', path: '/items/{id}' }, answer: {body: {a:1}}, override: true , times: 2})).text)
  for (let i=0;i<4;i++) console.log((await call('/items/MLA1400000001')).text)
  console.log((await control('GET /stubs')).text)
  console.log((await control('GET /requests?limit=2')).text)
  t.end
})
