import fc, { type Arbitrary } from 'fast-check'
import { type Operation, openapiOf, type Parameter } from '../support/openapi.ts'
import type { Call } from './answers.ts'
import { valuesFor } from './control_values.ts'
import { schemaValue } from './schema_values.ts'
import { anyPart, BODIES, CONTENT_TYPES, latin1, NAMES, ODD_CONTENT_TYPES, texts, wire, words } from './values.ts'

/** Without the server's own paths, which concern no world, and without backups, which write to a given folder. */
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
  const context = { resolveReference: control.resolveReference, values: (name: string) => valuesFor(operation, name) }
  const value = ({ name, schema, example }: Parameter) =>
    schemaValue(
      { ...schema, examples: [...(schema.examples ?? []), ...(example === undefined ? [] : [example])] },
      name,
      context,
    ).map((one) => wire(String(one)))
  const generated = (place: Parameter['in']) =>
    Object.fromEntries(operation.parameters.filter((at) => at.in === place).map((at) => [at.name, value(at)]))
  return fc.record(
    {
      segments: fc.record(generated('path')),
      query: fc
        .oneof(fc.constant({}), fc.record(generated('query'), { requiredKeys: [] }))
        .map((object) => Object.entries(object) as [string, string][]),
      ...(operation.body && { body: schemaValue(operation.body, '', context) }),
    },
    { requiredKeys: operation.body ? ['segments', 'query', 'body'] : ['segments', 'query'] },
  ) as Arbitrary<Parts>
}

const callOf = ({ method, path }: Operation, { segments, query, body }: Parts): Call => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => segments[name]!)
  const queryText = query.map(([name, value]) => `${name}=${value}`).join('&')
  return {
    method,
    url: queryText === '' ? filled : `${filled}?${queryText}`,
    headers: {},
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  }
}

/** A valid call. */
export const validCall = (operation: Operation): Arbitrary<Call> => {
  const one = parts(operation).map((used) => callOf(operation, used))
  if (!operation.types.includes(NDJSON)) return one
  const lines = fc.array(one, { maxLength: 4 }).map((calls) => calls.map(({ payload }) => payload).join('\n'))
  return fc.oneof(
    one,
    fc.tuple(one, lines).map(([call, payload]) => ({ ...call, payload, headers: { 'content-type': NDJSON } })),
  )
}

const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** Values that are almost valid: numbers move, texts are written differently. */
const CHANGES: ((value: unknown) => unknown)[] = [
  (value) => (typeof value === 'number' ? value + 1 : `${asText(value)}x`),
  (value) => (typeof value === 'number' ? value - 1 : `${asText(value)} `),
  (value) => (typeof value === 'number' ? -value : `${asText(value)}\u0000`),
  (value) => (typeof value === 'number' ? value + 0.5 : `${asText(value)}\ud800`),
  (value) => (typeof value === 'number' ? 2 ** 53 : asText(value).repeat(300)),
  (value) => (typeof value === 'number' ? 1e21 : asText(value).toUpperCase()),
  (value) => (typeof value === 'number' ? String(value) : Number(asText(value))),
  (value) => [value],
  (value) => ({ value }),
  () => null,
  () => true,
  () => undefined,
]
const change: Arbitrary<(value: unknown) => unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...CHANGES) },
  { weight: 1, arbitrary: texts.map((text) => () => text) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }).map((value) => () => value) },
)

/** The positions of values in a body, at any depth. */
const positionsIn = (parent: unknown): { parent: Members; name: string }[] =>
  typeof parent !== 'object' || parent === null
    ? []
    : Object.entries(parent).flatMap(([name, value]) => [{ parent: parent as Members, name }, ...positionsIn(value)])

/** A call with one invalid value among valid ones, or one additional member. */
export const almostValidCall = (operation: Operation): Arbitrary<Call> =>
  fc
    .record({
      original: parts(operation),
      at: fc.nat({ max: 999 }),
      change,
      more: fc.option(fc.constantFrom(...NAMES, 'id'), { freq: 5, nil: undefined }),
    })
    .map(({ original, at, change, more }) => {
      const { segments, query, body } = structuredClone(original)
      const pairs = Object.fromEntries(query)
      const positions = [...positionsIn(segments), ...positionsIn(pairs), ...positionsIn(body), ...positionsIn(body)]
      const position = positions[at % Math.max(1, positions.length)]
      if (more !== undefined && typeof body === 'object' && body !== null)
        Object.defineProperty(body, more, { value: at, enumerable: true })
      else if (position?.parent === segments || position?.parent === pairs)
        position.parent[position.name] = wire(
          asText(change(decodeURIComponent(String(position.parent[position.name])))) ?? '',
        )
      else if (position) position.parent[position.name] = change(position.parent[position.name])
      return callOf(operation, { segments, query: Object.entries(pairs), body })
    })

const METHODS = words('GET HEAD POST PUT DELETE PATCH OPTIONS TRACE PROPFIND QUERY')
const PATHS = words(
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
    { weight: 4, arbitrary: validCall(operation).map(({ payload }) => payload) },
    { weight: 3, arbitrary: fc.constantFrom(...BODIES) },
    { weight: 2, arbitrary: fc.json({ maxDepth: 3 }) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 2, arbitrary: fc.array(fc.constantFrom(...LINES), { maxLength: 4 }).map((lines) => lines.join('\r\n')) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )

/** A call with arbitrary values anywhere; most of its headers are valid. */
export const arbitraryCall = (operation: Operation): Arbitrary<Call> =>
  fc
    .record({
      call: validCall(operation),
      url: fc.option(
        fc.oneof(
          fc.constantFrom(...PATHS),
          fc
            .tuple(fc.constantFrom(operation), fc.array(anyPart, { maxLength: 2 }))
            .map(([{ path }, pieces]) => path.replace(/\{\w+\}/g, () => pieces.shift() ?? 'x')),
        ),
        { nil: undefined, freq: 2 },
      ),
      query: fc.option(
        fc.tuple(
          fc.constantFrom('limit', 'offset', 'callback', 'attributes', '_method', 'access_token', 'a[b]', ''),
          anyPart,
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
