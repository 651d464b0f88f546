import http from 'node:http'
import fc, { type Arbitrary } from 'fast-check'
import t from 'tap'
import { membersOf, operations } from '../support/openapi.ts'
import { TIMES } from '../support/property.ts'
import type { Call } from './answers.ts'
import { anyOperation, createCallRunner } from './call_runner.ts'
import { arbitraryCall, asJsonp, validCall, withQuery } from './calls.ts'
import { anyPart, wire, words } from './values.ts'

const { demo, send, runAll, cases } = await createCallRunner(t)
/** Reads that can succeed. */
const gets = operations.filter(
  ({ method, responses }) => method === 'GET' && Object.keys(responses).some((status) => status < '4'),
)
const anyDemoCall = (selected = operations) =>
  fc.oneof(
    { weight: 2, arbitrary: anyOperation(demo, validCall, selected) },
    { weight: 1, arbitrary: anyOperation(demo, arbitraryCall, selected) },
  )

t.test('attributes: answers exactly the requested members', async (t) => {
  const separators = fc.constantFrom(',', '%2C', '%2c+', ',,', '&attributes=')
  const calls = fc.oneof(
    ...gets.map((operation) => {
      const names = fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom('id', ...membersOf(operation)).map(wire) },
        { weight: 1, arbitrary: anyPart },
      )
      return fc
        .tuple(validCall(demo, operation), fc.array(names, { maxLength: 4 }), separators)
        .map(([call, requested, separator]) => withQuery(call, `attributes=${requested.join(separator)}`))
    }),
  )
  let projected = 0
  await runAll(calls, 1_800, async (call) => {
    const { outcome } = await send(call)
    if (outcome.status === 200) projected++
  })
  // Of 1,800; the share of operations that a world may answer with 403 or 404 varies with the seed.
  t.ok(projected > 900 * TIMES, `${projected} projected`)
})

const CALLBACKS = [
  ...words('show $ _ jQuery112409_1700000000000 angular.callbacks._0 a.b.c.d.e.f.g.h.i.j A.$.__proto__ return'),
  `x${'y'.repeat(127)}`,
]
const INVALID_CALLBACKS = [
  ...words('. a. .a a..b 1a a-b a[0] a() alert(1)// a;b ñ a.b.c.d.e.f.g.h.i.j.k </script> %'),
  ...['a b', 'a\n', '\u2028', `x${'y'.repeat(128)}`],
].map(wire)

t.test('callback: answers every operation by JSONP', async (t) => {
  const callbacks = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...CALLBACKS) },
    { weight: 1, arbitrary: fc.constantFrom(...INVALID_CALLBACKS) },
    { weight: 1, arbitrary: anyPart },
  )
  const writes = operations.filter(({ method }) => method !== 'GET')
  const calls = fc.oneof(anyDemoCall(), anyDemoCall(writes))
  let written = 0
  await runAll(fc.tuple(calls, callbacks, fc.boolean()), 1_900, async ([call, callback, isUpperCase]) => {
    const { operation, outcome } = await send(asJsonp(call, callback, isUpperCase))
    if (operation && operation.method !== 'GET' && outcome.status < 300) written++
  })
  t.ok(written > 50 * TIMES, `${written} successful writes`)
})

t.test('ignores misspelled callbacks, and _method without callback', async () => {
  const queries = fc.constantFrom(
    ...words('callback c%61llback=show Callback=alert(1) callback=show&callback=alert(1) _method=DELETE'),
    ...words('_method=POST&_body=%7B%7D callback=show&_method=PATCH callback=show&_method=constructor'),
  )
  await runAll(fc.tuple(anyOperation(demo, validCall, gets), queries), 500, ([call, query]) =>
    send(withQuery(call, query)),
  )
})

t.test('HEAD answers as GET does, without a body', async (t) => {
  let succeeded = 0
  await runAll(anyDemoCall(gets), 700, async (call) => {
    const head = await send({ ...call, method: 'HEAD' })
    const get = await send(call)
    if (head.answer.statusCode !== get.answer.statusCode) throw new Error(`GET answers ${get.answer.statusCode}`)
    if (get.answer.statusCode === 200) succeeded++
  })
  t.ok(succeeded > 200 * TIMES, `${succeeded} with status 200`)
})

/** Changes of a path: `piece` is arbitrary text, `at` selects a position. */
const PATH_CHANGES: ((path: string, piece: string, at: number) => string)[] = [
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => path.slice(0, path.lastIndexOf('/')) || '/',
  (path) => path.toUpperCase(),
  (path) => `/w/${demo.worldId}${path}`,
  (path) => `/w/0${demo.worldId}${path}/`,
  (path) => `/w/${demo.worldId + 1}${path}`,
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

/** Replaces `count` parts by `piece`; the leading slash remains. */
const spliced = (parts: string[], at: number, count: number, piece: string): string[] => {
  const place = 1 + (at % Math.max(1, parts.length - 1))
  return parts.toSpliced(place, count, piece)
}

/** The same path with one character percent-encoded. */
const encoded = (path: string, at: number): string => {
  const place = at % path.length
  const character = /[a-z]/.test(path[place]!) ? `%${path.charCodeAt(place).toString(16)}` : path[place]!
  return path.slice(0, place) + character + path.slice(place + 1)
}

/** CONNECT cannot be injected. */
const METHODS = http.METHODS.filter((method) => method !== 'CONNECT')

/** A call to another path, by another method, or both. */
const strayCall: Arbitrary<Call> = fc
  .record({
    call: anyOperation(demo, validCall),
    change: fc.option(fc.constantFrom(...PATH_CHANGES), { nil: undefined, freq: 4 }),
    piece: anyPart,
    at: fc.nat({ max: 200 }),
    method: fc.option(fc.constantFrom(...METHODS), { nil: undefined, freq: 1 }),
    more: fc.constantFrom('', '', '', 'callback=show', 'callback=alert(1)//', 'callback=show&_method=POST'),
  })
  .map(({ call, change, piece, at, method, more }) => {
    const [path, query] = call.url.split('?') as [string, string?]
    const newQuery = [query, more].filter(Boolean).join('&')
    const url = `${change ? change(path, piece, at) : path}${newQuery && `?${newQuery}`}`
    return { ...call, url, ...(method && { method }) }
  })

t.test('answers unknown paths and methods as documented', async () => {
  await runAll(strayCall, 2_400, send)
})

t.test('matches paths literally, not as patterns', async (t) => {
  for (const method of ['GET', 'OPTIONS', 'POST'])
    for (const url of words(
      '/openapiXjson /docs/pageXjs /users/ /items/contacts /% /%zz?callback=show /%zz?callback=a()',
    ))
      await t.resolves(send({ method, url, headers: {} }), `${method} ${url}`)
})

t.test('runs enough cases', async (t) => {
  t.ok(cases() >= 6_700 * TIMES, `${cases()} cases`)
})
