import fc, { type Arbitrary } from 'fast-check'
import t from 'tap'
import { membersOf, operations } from '../support/openapi.ts'
import type { Call } from './answers.ts'
import { asking, hostile, scripted, tame } from './calls.ts'
import { wild, wire, words } from './values.ts'
import { ofAny, volley } from './volley.ts'

const { demo, send, all, cases } = await volley(t)
const gets = operations.filter(({ method }) => method === 'GET')
const anyCall = (those = operations) =>
  fc.oneof({ weight: 2, arbitrary: ofAny(demo, tame, those) }, { weight: 1, arbitrary: ofAny(demo, hostile, those) })

t.test('attributes: exactly the members asked for', async (t) => {
  const glue = fc.constantFrom(',', '%2C', '%2c+', ',,', '&attributes=')
  const calls = fc.oneof(
    ...gets.map((operation) => {
      const names = fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom('id', ...membersOf(operation)).map(wire) },
        { weight: 1, arbitrary: wild },
      )
      return fc
        .tuple(tame(demo, operation), fc.array(names, { maxLength: 4 }), glue)
        .map(([call, some, mark]) => asking(call, `attributes=${some.join(mark)}`))
    }),
  )
  let projected = 0
  await all(calls, 1_500, async (call) => {
    const { outcome } = await send(call)
    if (outcome.status === 200) projected++
  })
  t.ok(projected > 1_000, `${projected} were answered well`)
})

const NAMES = [
  ...words('show $ _ jQuery112409_1700000000000 angular.callbacks._0 a.b.c.d.e.f.g.h.i.j A.$.__proto__ return'),
  `x${'y'.repeat(127)}`,
]
const MISNAMED = [
  ...words('. a. .a a..b 1a a-b a[0] a() alert(1)// a;b ñ a.b.c.d.e.f.g.h.i.j.k </script> %'),
  ...['', 'a b', 'a\n', '\u2028', `x${'y'.repeat(128)}`],
].map(wire)

t.test('callback: every operation through a script', async (t) => {
  const callbacks = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...NAMES) },
    { weight: 1, arbitrary: fc.constantFrom(...MISNAMED) },
    { weight: 1, arbitrary: wild },
  )
  let written = 0
  await all(fc.tuple(anyCall(), callbacks, fc.boolean()), 1_900, async ([call, callback, spelled]) => {
    const { operation, outcome } = await send(scripted(call, callback, spelled))
    if (operation && operation.method !== 'GET' && outcome.status < 300) written++
  })
  t.ok(written > 50, `${written} writes were carried out`)
})

t.test('callback without the letters, and _method without callback', async () => {
  const ways = fc.constantFrom(
    ...words('callback c%61llback=show Callback=alert(1) callback=show&callback=alert(1) _method=DELETE'),
    ...words('_method=POST&_body=%7B%7D callback=show&_method=PATCH callback=show&_method=constructor'),
  )
  await all(fc.tuple(ofAny(demo, tame, gets), ways), 500, ([call, way]) => send(asking(call, way)))
})

t.test('HEAD answers as GET does, without a body', async (t) => {
  let well = 0
  await all(anyCall(gets), 700, async (call) => {
    const head = await send({ ...call, method: 'HEAD' })
    const get = await send(call)
    if (head.answer.statusCode !== get.answer.statusCode) throw new Error(`GET answers ${get.answer.statusCode}`)
    if (get.answer.statusCode === 200) well++
  })
  t.ok(well > 200, `${well} were answered well`)
})

/** What can be done to an address; `piece` is anything, `at` picks a place. */
const MANGLES: ((path: string, piece: string, at: number) => string)[] = [
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => path.slice(0, path.lastIndexOf('/')) || '/',
  (path) => path.toUpperCase(),
  (path) => `/w/${demo.home}${path}`,
  (path) => `/w/0${demo.home}${path}/`,
  (path) => `/w/${demo.home + 1}${path}`,
  (path, piece) => `/w/${piece}${path}`,
  (_path, piece) => `/w/${piece}`,
  (path) => `/w${path}`,
  (path, piece) => `${path}/${piece}`,
  (_path, piece) => `/${piece}`,
  (path, piece, at) => spliced(path.split('/'), at, 0, piece).join('/'),
  (path, piece, at) => spliced(path.split('/'), at, 1, piece).join('/'),
  (path, _piece, at) => spliced([...path], at, 1, 'X').join(''),
  (path, _piece, at) => encoded(path, at),
]

/** Puts `piece` in the place of `count` parts; the first, the slash, stays. */
const spliced = (parts: string[], at: number, count: number, piece: string): string[] => {
  const place = 1 + (at % Math.max(1, parts.length - 1))
  return parts.toSpliced(place, count, piece)
}

/** The same address with one letter percent-encoded. */
const encoded = (path: string, at: number): string => {
  const place = at % path.length
  const letter = /[a-z]/.test(path[place]!) ? `%${path.charCodeAt(place).toString(16)}` : path[place]!
  return path.slice(0, place) + letter + path.slice(place + 1)
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH']

/** A call gone astray: another address, another method, or both. */
const astray: Arbitrary<Call> = fc
  .record({
    call: ofAny(demo, tame),
    mangle: fc.option(fc.constantFrom(...MANGLES), { nil: undefined, freq: 4 }),
    piece: wild,
    at: fc.nat({ max: 200 }),
    method: fc.option(fc.constantFrom(...METHODS), { nil: undefined, freq: 1 }),
    more: fc.constantFrom('', '', '', 'callback=show', 'callback=alert(1)//', 'callback=show&_method=POST'),
  })
  .map(({ call, mangle, piece, at, method, more }) => {
    const [path, query] = call.url.split('?') as [string, string?]
    const asked = [query, more].filter(Boolean).join('&')
    const url = `${mangle ? mangle(path, piece, at) : path}${asked && `?${asked}`}`
    return { ...call, url, ...(method && { method }) }
  })

t.test('an address or a method that nobody serves', async () => {
  await all(astray, 2_400, send)
})

t.test('a path is known by its letters, not by what a pattern makes of them', async (t) => {
  for (const method of ['GET', 'OPTIONS', 'POST'])
    for (const url of words(
      '/openapiXjson /docs/pageXjs /users/ /items/contacts /% /%zz?callback=show /%zz?callback=a()',
    ))
      await t.resolves(send({ method, url, headers: {} }), `${method} ${url}`)
})

t.test('cases', async (t) => {
  t.ok(cases() >= 6_700, `${cases()} cases`)
})
