import fc, { type Arbitrary } from 'fast-check'
import { type Operation, openapiOf, type Parameter } from '../support/openapi.ts'
import type { Call } from './answers.ts'
import { knownOf } from './control_pool.ts'
import { made } from './made.ts'
import { BODIES, CONTENT_TYPES, latin1, NAMES, ODD_CONTENT_TYPES, texts, wild, wire, words } from './values.ts'

/**
 * What the server says of itself stands beside the control plane and is about no world; a backup writes where it is
 * told to.
 */
export const control = openapiOf(
  'openapi.sandbox.json',
  (path) => path.startsWith('/_sandbox/') && path !== '/_sandbox/backup',
)

type Members = Record<string, unknown>
interface Parts {
  segments: Record<string, string>
  query: [name: string, wire: string][]
  body?: unknown
}

const NDJSON = 'application/x-ndjson'

function parts(operation: Operation): Arbitrary<Parts> {
  const making = { resolved: control.resolved, known: (name: string) => knownOf(operation, name) }
  const value = ({ name, schema, example }: Parameter) =>
    made(
      { ...schema, examples: [...(schema.examples ?? []), ...(example === undefined ? [] : [example])] },
      name,
      making,
    ).map((one) => wire(String(one)))
  const those = (place: Parameter['in']) =>
    Object.fromEntries(operation.parameters.filter((at) => at.in === place).map((at) => [at.name, value(at)]))
  return fc.record(
    {
      segments: fc.record(those('path')),
      query: fc
        .oneof(fc.constant({}), fc.record(those('query'), { requiredKeys: [] }))
        .map((object) => Object.entries(object) as [string, string][]),
      ...(operation.body && { body: made(operation.body, '', making) }),
    },
    { requiredKeys: operation.body ? ['segments', 'query', 'body'] : ['segments', 'query'] },
  ) as Arbitrary<Parts>
}

const callOf = ({ method, path }: Operation, { segments, query, body }: Parts): Call => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => segments[name]!)
  const asked = query.map(([name, value]) => `${name}=${value}`).join('&')
  return {
    method,
    url: asked === '' ? filled : `${filled}?${asked}`,
    headers: {},
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  }
}

/** A call as a well-meaning program makes it. */
export const tame = (operation: Operation): Arbitrary<Call> => {
  const one = parts(operation).map((some) => callOf(operation, some))
  if (!operation.types.includes(NDJSON)) return one
  const lines = fc.array(one, { maxLength: 4 }).map((calls) => calls.map(({ payload }) => payload).join('\n'))
  return fc.oneof(
    one,
    fc.tuple(one, lines).map(([call, payload]) => ({ ...call, payload, headers: { 'content-type': NDJSON } })),
  )
}

const written = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** A value that is almost right: what is a number moves, what is a text is written otherwise. */
const OTHERWISE: ((value: unknown) => unknown)[] = [
  (value) => (typeof value === 'number' ? value + 1 : `${written(value)}x`),
  (value) => (typeof value === 'number' ? value - 1 : `${written(value)} `),
  (value) => (typeof value === 'number' ? -value : `${written(value)}\u0000`),
  (value) => (typeof value === 'number' ? value + 0.5 : `${written(value)}\ud800`),
  (value) => (typeof value === 'number' ? 2 ** 53 : written(value).repeat(300)),
  (value) => (typeof value === 'number' ? 1e21 : written(value).toUpperCase()),
  (value) => (typeof value === 'number' ? String(value) : Number(written(value))),
  (value) => [value],
  (value) => ({ value }),
  () => null,
  () => true,
  () => undefined,
]
const change: Arbitrary<(value: unknown) => unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...OTHERWISE) },
  { weight: 1, arbitrary: texts.map((text) => () => text) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }).map((value) => () => value) },
)

/** Where values stand in a body, at any depth. */
const spotsIn = (inside: unknown): { inside: Members; name: string }[] =>
  typeof inside !== 'object' || inside === null
    ? []
    : Object.entries(inside).flatMap(([name, value]) => [{ inside: inside as Members, name }, ...spotsIn(value)])

/** A call with one wrong value among good ones, or one member more. */
export const nearly = (operation: Operation): Arbitrary<Call> =>
  fc
    .record({
      some: parts(operation),
      at: fc.nat({ max: 999 }),
      change,
      more: fc.option(fc.constantFrom(...NAMES, 'id'), { freq: 5, nil: undefined }),
    })
    .map(({ some, at, change, more }) => {
      const { segments, query, body } = structuredClone(some)
      const pairs = Object.fromEntries(query)
      const spots = [...spotsIn(segments), ...spotsIn(pairs), ...spotsIn(body), ...spotsIn(body)]
      const spot = spots[at % Math.max(1, spots.length)]
      if (more !== undefined && typeof body === 'object' && body !== null)
        Object.defineProperty(body, more, { value: at, enumerable: true })
      else if (spot?.inside === segments || spot?.inside === pairs)
        spot.inside[spot.name] = wire(written(change(decodeURIComponent(String(spot.inside[spot.name])))) ?? '')
      else if (spot) spot.inside[spot.name] = change(spot.inside[spot.name])
      return callOf(operation, { segments, query: Object.entries(pairs), body })
    })

const METHODS = words('GET HEAD POST PUT DELETE PATCH OPTIONS TRACE PROPFIND')
const ADDRESSES = words(
  '/_sandbox /_sandbox/ /_sandbox/nothing /_sandbox//users /_sandbox/users/7/more /_sandbox/%zz /_sandbox/%00 /_sandbox/users/..;/x',
)
const LINES = [
  '{"kind":"phone_view","item_id":"MLA77"}',
  '{',
  '[]',
  '',
  'null',
  '{"kind":"phone_view"}',
  '{"kind":"phone_view","item_id":"MLA77","count":0}',
  '\u0000',
  '{"kind":"question","item_id":"MLA77","at":"1969-12-31"}',
  'x'.repeat(70_000),
]

const headers = fc.record(
  {
    'content-type': fc.oneof(fc.constantFrom(...CONTENT_TYPES, ...ODD_CONTENT_TYPES, NDJSON), latin1),
    authorization: fc.constantFrom('Bearer x', 'Bearer ', 'Basic eDp4', 'x'),
    accept: latin1,
    'x-sandbox-fault': fc.constantFrom('503', 'drop', 'delay=1', 'x'),
    'x-http-method-override': fc.constant('DELETE'),
    origin: fc.constantFrom('http://localhost', 'http://localhost:4400', 'null', 'https://example.com', ''),
    host: fc.constantFrom(
      'localhost',
      'localhost:4400',
      '127.0.0.1:4400',
      '[::1]:80',
      'example.com',
      'localhost.example.com',
      '127.0.0.1.nip.io',
    ),
    'sec-fetch-site': fc.constantFrom('same-origin', 'none', 'cross-site', 'same-site', 'x'),
  },
  { requiredKeys: [] },
)

const payloads = (operation: Operation): Arbitrary<string | Buffer | undefined> =>
  fc.oneof(
    { weight: 4, arbitrary: tame(operation).map(({ payload }) => payload) },
    { weight: 3, arbitrary: fc.constantFrom(...BODIES) },
    { weight: 2, arbitrary: fc.json({ maxDepth: 3 }) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 2, arbitrary: fc.array(fc.constantFrom(...LINES), { maxLength: 4 }).map((lines) => lines.join('\r\n')) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )

/** A call in which anything may stand anywhere; most of its headers are those of a program. */
export const hostile = (operation: Operation): Arbitrary<Call> =>
  fc
    .record({
      call: tame(operation),
      url: fc.option(
        fc.oneof(
          fc.constantFrom(...ADDRESSES),
          fc
            .tuple(fc.constantFrom(operation), fc.array(wild, { maxLength: 2 }))
            .map(([{ path }, pieces]) => path.replace(/\{\w+\}/g, () => pieces.shift() ?? 'x')),
        ),
        { nil: undefined, freq: 2 },
      ),
      query: fc.option(
        fc.tuple(
          fc.constantFrom('limit', 'offset', 'callback', 'attributes', '_method', 'access_token', 'a[b]', ''),
          wild,
        ),
        { nil: undefined, freq: 2 },
      ),
      method: fc.option(fc.constantFrom(...METHODS), { nil: undefined, freq: 1 }),
      headers: fc.oneof(fc.constant({}), headers),
      payload: payloads(operation),
    })
    .map(({ call, url = call.url, query, method, headers, payload }) => ({
      method: method ?? call.method,
      url: query ? `${url}${url.includes('?') ? '&' : '?'}${query.join('=')}` : url,
      headers: headers as Record<string, string>,
      ...(payload !== undefined && { payload }),
    }))
