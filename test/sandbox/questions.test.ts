import t from 'tap'
import { start } from '../support/app.ts'

const app = await start(t)
const { control } = app
for (const b of [
  { item_id: 'MLA1400000001', text: 'hola' },
  { item_id: 'MLA1400000001', text: 'hola', from: null, id: 9007199254740991, date_created: '2026-03-01T09:30:00Z' },
  {
    item_id: 'MLA1400000001',
    text: 'hola',
    from: null,
    flags: { hold: true },
    answer: { text: 'a', date_created: '2026-03-02' },
  },
  { item_id: 'MLA1400000001', text: 'hola', status: 'BANNED', from: 2500001011 },
  { item_id: 'MLA1400000001', text: 'hola', from: 'x' },
  { item_id: 'MLA1400000001', text: 'hola', answer: { foo: 1 } },
  { item_id: 'MLA1400000001', text: 'hola', answer: { text: 1 } },
  { item_id: 'MLA1400000001', text: 'hola', flags: { hold: 1 } },
  { item_id: 'MLA1400000001', text: 'hola', answer: {} },
  { item_id: 'MLA1400000001' },
  [],
]) {
  const a = await control('POST /questions', b)
  console.error(a.status, a.text)
}
console.error((await control('GET /questions?limit=2')).text)
console.error((await control('PATCH /questions/9007199254740991', { status: 'BANNED' })).text)
console.error((await control('PATCH /questions/9007199254740991', {})).text)
console.error((await control('PATCH /questions/9007199254740991', { answer: { text: 5 } })).text)
console.error((await control('PATCH /questions/9007199254740991', { status: 'ANSWERED', answer: { text: '5' } })).text)
console.error((await control('GET /questions/13')).text)
t.strictSame(app.faults, [])
