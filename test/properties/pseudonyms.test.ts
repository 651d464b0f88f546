import type { Arbitrary } from 'fast-check'
import t from 'tap'
import { CallLines } from '../../capture/call_lines.ts'
import { MEMBER_KINDS } from '../../capture/personal_members.ts'
import type { CallLine } from '../../control/recording/format.ts'
import fc, { runs } from '../support/property.ts'

const letters = (alphabet: string, minLength = 6) =>
  fc.array(fc.constantFrom(...alphabet), { minLength, maxLength: minLength + 6 }).map((all) => all.join(''))
const LOWER = 'abcdefghijklmnopqrstuvwxyzáéñ'
const DIGITS = '0123456789'

const word = letters(LOWER).map((text) => text[0]!.toUpperCase() + text.slice(1))
const digits = letters(DIGITS, 8).map((text) => `7${text}`)
/** Values of persons as services send them. */
const PERSONAL = {
  id: digits.map(Number),
  words: fc.tuple(word, word).map((all) => all.join(' ')),
  code: fc.oneof(
    fc.tuple(letters(LOWER), digits).map(([name, n]) => `${name.toUpperCase()}_${n}`),
    digits,
    digits.map(Number),
  ),
  email: fc.tuple(letters('abcdefghijklm'), letters('nopqrstuv')).map(([name, host]) => `${name}@${host}.com.ar`),
  // With at least five decimals: fewer digits have an equal replacement by chance.
  position: fc
    .integer({ min: -600_000_000, max: -300_000_000 })
    .filter((n) => n % 1000 !== 0)
    .map((n) => n / 10_000_000),
  date: fc.constantFrom('1931-12-30', '31/12/1932', 1931123045),
  writing: fc.array(word, { minLength: 3, maxLength: 6 }).map((all) => all.join(' ')),
  secret: letters(`${LOWER.slice(0, 26)}${DIGITS}`, 20).map((text) => `APP_USR-${text}`),
} satisfies Record<string, Arbitrary<unknown>>
type PersonalKind = keyof typeof PERSONAL

const members = [...MEMBER_KINDS].filter((entry): entry is [string, PersonalKind] => entry[1] in PERSONAL)
const planted = fc
  .constantFrom(...members)
  .chain(([name, kind]) => PERSONAL[kind].map((value) => ({ name, kind, value: value as string | number })))

/** `buyer.id` → `{buyer: {id}}`. */
const nested = (name: string, value: unknown): object =>
  name
    .split('.')
    .reverse()
    .reduce<unknown>((inner, part) => ({ [part]: inner }), value) as object

const PATHS = ['/orders/2000001', '/users/me', '/questions/search', '/vis/loans/search', '/shipments/43000000001']

t.test(
  'no value of a person or secret is in a line, whichever member has it and wherever it appears again',
  async (t) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(planted, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(...PATHS),
        fc.constantFrom(200, 400),
        fc.boolean(),
        async (all, path, status, isJsonp) => {
          const lines = new CallLines()
          const body = JSON.stringify({ results: all.map(({ name, value }) => nested(name, value)) })
          const answer = isJsonp ? `show([${status},{},${body}])` : body
          const known = all.filter(({ kind }) => ['id', 'words', 'code', 'email', 'secret'].includes(kind))
          const again = known.map(({ value }) => value).join(', ')
          const send = (target: string, text: string, payload = '') =>
            lines.lineOf(
              { method: 'POST', target, headers: { 'content-type': 'application/json' }, body: Buffer.from(payload) },
              { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) },
              1,
            )
          const file = [
            send(path, answer),
            send(
              `/items/MLA1?q=${encodeURIComponent(again)}`,
              JSON.stringify({ title: `De ${again}`, message: again, other: again }),
            ),
            ...known.map(({ value }) =>
              send(
                `/users/${encodeURIComponent(value)}/orders`,
                JSON.stringify({ permalink: `https://a.example/${encodeURIComponent(value)}` }),
                body,
              ),
            ),
          ]
            .map((line) => JSON.stringify(line))
            .join('\n')
          for (const line of file.split('\n'))
            JSON.parse((JSON.parse(line) as CallLine).answer!.replace(/^show\((.*)\)$/s, '$1'))
          for (const { name, value } of all)
            for (const text of [String(value), encodeURIComponent(value)])
              if (file.includes(text)) throw new Error(`${name}: ${text} is in\n${file}`)
        },
      ),
      { numRuns: runs(200) },
    )
    t.pass()
  },
)

t.test('equal values have one replacement, different ones different ones, of the same form', async (t) => {
  const lines = new CallLines()
  const users = Array.from({ length: 300 }, (_, n) => ({
    id: 2500000101 + n,
    nickname: `VENDEDOR_${n}`,
    first_name: 'Lucía',
    phone: `+54 11 5555-0${100 + n}`,
    email: `lucia${n}@correo.example`,
  }))
  const read = (value: unknown) =>
    JSON.parse(
      lines.lineOf(
        { method: 'GET', target: '/orders', headers: {}, body: Buffer.alloc(0) },
        { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ users: value })) },
        1,
      ).answer!,
    ).users
  const once = read(users)
  t.strictSame(read(users), once)
  for (const name of ['id', 'nickname', 'phone', 'email'] as const)
    t.equal(new Set(once.map((user: (typeof users)[0]) => user[name])).size, users.length, name)
  t.equal(new Set(once.map(({ first_name }: (typeof users)[0]) => first_name)).size, 1)
  const forms = { nickname: /^[A-Z]{8}_\d{1,3}$/, first_name: /^[A-Z][a-z]{4}$/, phone: /^\+\d\d \d\d \d{4}-\d{4}$/ }
  const hasForm = (user: (typeof users)[0]) =>
    /^\d{10}$/.test(String(user.id)) &&
    /^[a-z\d]+@example\.com$/.test(user.email) &&
    Object.entries(forms).every(([name, form]) => form.test(String(user[name as keyof typeof forms])))
  t.strictSame(
    once.filter((user: (typeof users)[0]) => !hasForm(user)),
    [],
  )
  const [user] = users as [(typeof users)[0]]
  const [other] = once as [(typeof users)[0]]
  t.equal(read([{ phone: user.phone.replace(/\D/g, '') }])[0].phone, other.phone.replace(/\D/g, ''))
  t.equal(read([{ title: `Para ${user.first_name.toUpperCase()}` }])[0].title, `Para ${other.first_name.toUpperCase()}`)
})

t.test('what is no personal data keeps its bytes', async (t) => {
  const body = `{"id":"MLA1400000001", "price":12.50,"n":1e3,"status":"active","date_created":"2026-03-07T15:00:00.000-04:00",
 "tags":["self_service_in"],"title":"Mate de calabaza","currency_id":"ARS","level_id":"4_light_green","2":1,"1":{"a":null}}`
  const call = { method: 'GET', target: '/items/MLA1400000001?attributes=id,price', headers: {}, body: Buffer.alloc(0) }
  const line = new CallLines().lineOf(call, { status: 200, headers: {}, body: Buffer.from(body) }, 1)
  t.equal(line.answer, body)
  t.equal(line.target, call.target)
})

t.test('reads long texts in a time that grows with their length', async (t) => {
  const lines = new CallLines()
  const call = { method: 'GET', target: '/orders', headers: {}, body: Buffer.alloc(0) }
  for (const part of ['a', '1', '!', '%', '.', '-', 'a.', '1 ', '(', '+', 'ñ@', '\\', '"', 'user_id ']) {
    const title = part.repeat(200_000 / part.length)
    const { answer } = lines.lineOf(call, { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ title })) }, 1)
    t.equal(typeof JSON.parse(answer!).title, 'string', part)
  }
})
