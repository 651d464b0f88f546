import fc, { type Arbitrary } from 'fast-check'
import { anyCharacter } from '../support/characters.ts'
import { MULTIPART_TYPE, multipart } from '../support/multipart.ts'
import { isUpload, type Operation, type Parameter, type Schema } from '../support/openapi.ts'
import type { Call } from './answers.ts'
import type { DemoValues } from './demo.ts'
import { anyPart, BODIES, CONTENT_TYPES, latin1, NAMES, ODD_CONTENT_TYPES, texts, wire, words } from './values.ts'

/** Existing or allowed values of a parameter or member. */
function candidates({ values: existing }: DemoValues, name: string, schema: Schema, example?: unknown): unknown[] {
  const { enum: listed = [], examples = [], minimum, maximum } = schema
  const values = existing[name] ?? [example, ...examples, ...listed, minimum, maximum].flat()
  const usable = values.filter((value) => value !== undefined && value !== null && fits(schema.items ?? schema, value))
  return usable.length > 0 ? usable : ['x']
}

const fits = ({ type, pattern }: Schema, value: unknown): boolean =>
  (type !== 'integer' || Number.isSafeInteger(value)) &&
  (type !== 'object' || typeof value === 'object') &&
  (!pattern || new RegExp(pattern).test(String(value)))

/** A value that matches the schema. */
function valid(demo: DemoValues, name: string, schema: Schema, example?: unknown): Arbitrary<unknown> {
  const one = fc.constantFrom(...candidates(demo, name, schema, example))
  return schema.type === 'array' ? fc.uniqueArray(one, { minLength: 1, maxLength: 3 }) : one
}

// Bodies

/** The documented example, or an object with the members of the schema. */
function validBody(demo: DemoValues, { body, example }: Operation): Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [] }: Schema = body ?? {}
  const members = Object.entries(properties).map(([name, schema]) => [
    name,
    valid(demo, name, schema, schema.examples?.[0]),
  ])
  const composed: Arbitrary<Record<string, unknown>> = fc.record(Object.fromEntries(members), {
    requiredKeys: required,
  })
  return example ? fc.oneof(composed, fc.constant(example)) : composed
}

const formOf = (object: Record<string, unknown>): string =>
  Object.entries(object)
    .map(([name, value]) => `${wire(name)}=${wire(String(value))}`)
    .join('&')

function arbitraryBody(demo: DemoValues, operation: Operation): Arbitrary<string | Buffer> {
  const validCall = validBody(demo, operation)
  const member = fc.oneof(
    texts,
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(
      ...Object.values(demo.values)
        .map(([value]) => value)
        .filter((value) => !demo.secrets.includes(String(value))),
    ),
  )
  const own = Object.keys(operation.body?.properties ?? {})
  const names = fc.oneof(...(own.length > 0 ? [fc.constantFrom(...own)] : []), fc.constantFrom(...NAMES))
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(validCall, names, member)
        .map(([object, name, value]) => JSON.stringify(Object.fromEntries([...Object.entries(object), [name, value]]))),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(validCall, names).map(([object, name]) => JSON.stringify({ ...object, [name]: undefined })),
    },
    { weight: 1, arbitrary: validCall.map(formOf) },
    { weight: 2, arbitrary: fc.constantFrom(...BODIES) },
    { weight: 2, arbitrary: fc.json({ maxDepth: 4 }) },
    { weight: 1, arbitrary: fc.string({ unit: anyCharacter }) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)) },
  )
}

// Headers

/** Neither valid nor absent. */
export const badTokens = ({ tokens: [token = ''] }: DemoValues): string[] => [
  `Bearer ${token}x`,
  `Bearer ${token.slice(0, -1)}`,
  `Bearer ${token.toLowerCase()}`,
  `Bearer ${token.replace('-00000001', '-00000002')}`,
  `Bearer ${token} ${token}`,
  `Bearer Bearer ${token}`,
  `Bearer "${token}"`,
  'Bearer APP_USR-1-2-3-4',
  'Bearer __proto__',
  'Bearer \u00ff',
  `Bearer ${'x'.repeat(8000)}`,
]
/** They count as none: no scheme, another one, or no token. */
export const noTokens = ({ tokens: [token = ''] }: DemoValues): string[] => [
  '',
  'Bearer',
  'Bearer ',
  'bearer    ',
  token,
  `Basic ${token}`,
  `Token ${token}`,
  `Bearer${token}`,
  'Digest username="a", realm="b"',
  "' OR 1=1 --",
]

type Headers = Record<string, string>

const validHeaders = ({ tokens }: DemoValues): Arbitrary<Headers> =>
  fc.record(
    {
      authorization: fc.constantFrom(tokens[0], tokens[0], tokens[0], ...tokens).map((token) => `Bearer ${token}`),
      'content-type': fc.constantFrom(...CONTENT_TYPES),
    },
    { requiredKeys: ['authorization'] },
  )

const arbitraryHeaders = (demo: DemoValues): Arbitrary<Headers> => {
  const good = fc.constantFrom(...demo.tokens).map((token) => `Bearer ${token}`)
  const bad = fc.constantFrom(...badTokens(demo), ...noTokens(demo))
  return fc.record(
    {
      authorization: fc.oneof(
        { weight: 8, arbitrary: good },
        { weight: 1, arbitrary: bad },
        { weight: 1, arbitrary: latin1 },
      ),
      'content-type': fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...CONTENT_TYPES) },
        { weight: 1, arbitrary: fc.constantFrom(...ODD_CONTENT_TYPES) },
        { weight: 1, arbitrary: latin1 },
      ),
      'x-sandbox': fc.constantFrom('true', '', '1'),
      origin: fc.constantFrom('null', 'https://example.com'),
      accept: latin1,
    },
    { requiredKeys: [] },
  )
}

// Calls

type Pair = [name: string, wire: string]

interface Parts {
  segments: Record<string, string>
  query: Pair[]
  headers: Headers
  /** Sent as JSON, or its `file` as an upload. */
  body?: Record<string, unknown> | undefined
}

const callOf = (operation: Operation, { segments, query, headers, body }: Parts): Call => {
  const { method, path } = operation
  const isFile = body && isUpload(operation)
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => segments[name]!)
  const queryText = query.map(([name, value]) => `${name}=${value}`).join('&')
  return {
    method,
    url: queryText === '' ? filled : `${filled}?${queryText}`,
    headers: isFile ? { ...headers, 'content-type': MULTIPART_TYPE } : headers,
    ...(body && { payload: isFile ? multipart(Buffer.from(String(body.file), 'latin1')) : JSON.stringify(body) }),
  }
}

/** Parameters that every GET has; they are tested separately. */
const isShared = (name: string): boolean => name === 'attributes' || name === 'callback'

/** The parameters of a call, each generated by `value`. */
function parameters(operation: Operation, place: Parameter['in'], value: (at: Parameter) => Arbitrary<string>) {
  const selected = operation.parameters.filter((at) => at.in === place && !isShared(at.name))
  return {
    values: Object.fromEntries(selected.map((at) => [at.name, value(at)])),
    required: selected.filter(({ required }) => required || place === 'path').map(({ name }) => name),
  }
}

function validParts(demo: DemoValues, operation: Operation): Arbitrary<Parts> {
  const value = ({ name, schema, example }: Parameter) =>
    valid(demo, name, schema, example).map((one) => wire(String(one)))
  const path = parameters(operation, 'path', value)
  const query = parameters(operation, 'query', value)
  const { values: own } = parameters(operation, 'header', value)
  const places = (demo.places?.[operation.path] ?? []).map((names) =>
    Object.fromEntries(Object.entries(names).map(([name, one]) => [name, String(one)])),
  )
  return fc
    .record({
      segments:
        places.length > 0 ? fc.oneof(fc.record(path.values), fc.constantFrom(...places)) : fc.record(path.values),
      // Most queries omit most filters, because too many filters find nothing.
      query: fc
        .oneof(
          fc.record(query.values, { requiredKeys: query.required }),
          fc.record(Object.fromEntries(query.required.map((name) => [name, query.values[name]!]))),
        )
        .map((object) => Object.entries(object) as Pair[]),
      headers: fc
        .tuple(validHeaders(demo), fc.record(own, { requiredKeys: [] }))
        .map(([all, more]) => ({ ...all, ...more }) as Headers),
      body: operation.body ? validBody(demo, operation) : fc.constant(undefined),
      tokenInQuery: fc.constantFrom(false, false, false, true),
    })
    .map(({ tokenInQuery, ...parts }) => (tokenInQuery ? withQueryToken(parts) : parts))
}

const withQueryToken = ({ headers: { authorization = '', ...headers }, query, ...parts }: Parts): Parts => ({
  ...parts,
  headers,
  query: [...query, ['access_token', wire(authorization.replace('Bearer ', ''))]],
})

/** A valid call; most of its values exist. */
export const validCall = (demo: DemoValues, operation: Operation): Arbitrary<Call> =>
  validParts(demo, operation).map((parts) => callOf(operation, parts))

/** A valid call, and the same call with an optional parameter that is empty. */
export const withEmptyParameter = (demo: DemoValues, operation: Operation): Arbitrary<[Call, Call]> => {
  const optional = operation.parameters.filter((at) => at.in === 'query' && !at.required).map(({ name }) => name)
  return fc
    .tuple(validParts(demo, operation), fc.constantFrom(...optional, 'callback'), fc.constantFrom('', '='), fc.nat())
    .map(([parts, name, equals, at]) => {
      const query = parts.query.filter(([other]) => other !== name)
      const call = callOf(operation, { ...parts, query })
      const position = at % (query.length + 1)
      const before = callOf(operation, { ...parts, query: query.slice(0, position) })
      const after = query.slice(position).map(([name, value]) => `${name}=${value}`)
      return [call, { ...call, url: withQuery(before, [`${name}${equals}`, ...after].join('&')).url }]
    })
}

/** What operations need of the parameters and members that are optional in their schemas. */
const NEEDED: Record<string, string> = {
  'POST /oauth/token': 'client_id client_secret code redirect_uri',
  'GET /authorization': 'response_type client_id redirect_uri',
  'POST /authorization': 'response_type client_id redirect_uri user_id',
  'POST /pictures/items/upload': 'file',
  'GET /products/search': 'site_id q',
  'POST /my/questions/hidden': 'question_ids',
  'GET /orders/search': 'seller',
  'GET /items/{item_id}/shipping_options': 'zip_code',
  'GET /users/{user_id}/shipping_options/free': 'item_id',
  'POST /messages/attachments': 'site_id file',
  'GET /post-purchase/v1/claims/search': 'stage',
}

/**
 * The valid call number `n` of an operation, without chance: by the seller, with the n-th value of what it needs only; every
 * second one has the documented body.
 */
export function plainCall(demo: DemoValues, operation: Operation, n: number): Call {
  const { method, path, parameters, body, example } = operation
  const needed = words(NEEDED[`${method} ${path}`] ?? '')
  const place = demo.places?.[path]
  const nth = (name: string, schema: Schema, example?: unknown): unknown => {
    const all = place?.some((one) => name in one)
      ? place.map((one) => one[name])
      : candidates(demo, name, schema, example)
    return all[n % all.length]
  }
  const pairs = (at: Parameter['in']) =>
    parameters
      .filter((one) => one.in === at && (one.required || at === 'path' || needed.includes(one.name)))
      .map(({ name, schema, example }): Pair => [name, wire(String(nth(name, schema, example)))])
  const { properties = {}, required = [] }: Schema = body ?? {}
  const members = Object.entries(properties)
    .filter(([name]) => required.includes(name) || needed.includes(name))
    .map(([name, schema]) => {
      const value = nth(name, schema, schema.examples?.[0])
      return [name, schema.type === 'array' ? [value] : value]
    })
  return callOf(operation, {
    segments: Object.fromEntries(pairs('path')),
    query: pairs('query'),
    headers: { authorization: `Bearer ${demo.tokens[0]}`, ...Object.fromEntries(pairs('header')) },
    body: body && (example && n % 2 === 1 ? example : Object.fromEntries(members)),
  })
}

/** Other notations of a value. */
const NOTATIONS: ((value: string) => string)[] = [
  (value) => `0x${Number(value).toString(16)}`,
  (value) => `${value}e0`,
  (value) => `${value}.0`,
  (value) => `+${value}`,
  (value) => `-${value}`,
  (value) => ` ${value}`,
  (value) => `${value} `,
  (value) => `${value}\u0000`,
  (value) => `"${value}"`,
  (value) => value.toLowerCase(),
]
const JSON_NOTATIONS: ((value: unknown) => unknown)[] = [
  (value) => [value],
  (value) => [[value]],
  (value) => ({ value }),
  (value) => [value].flat()[0],
  () => null,
  () => true,
  ...NOTATIONS.map((notation) => (value: unknown) => notation(String(value))),
]

/** A call with one invalid value among valid ones, so that only this value can be rejected. */
export const almostValidCall = (demo: DemoValues, operation: Operation): Arbitrary<Call> =>
  fc
    .record({
      parts: validParts(demo, operation),
      at: fc.nat({ max: 1000 }),
      change: fc.oneof(
        texts.map((text) => () => text),
        fc.constantFrom(...NOTATIONS),
      ),
      oddMember: fc.oneof(
        fc.oneof(texts, fc.jsonValue({ maxDepth: 2 })).map((value) => () => value),
        fc.constantFrom(...JSON_NOTATIONS),
      ),
    })
    .map(({ parts: { segments, query, body = {}, ...rest }, at, change, oddMember }) => {
      const another = (sent: string) => wire(change(decodeURIComponent(sent)))
      const positions = [...Object.keys(segments), ...query.map(([name]) => name), ...Object.keys(body)]
      const position = positions[at % Math.max(1, positions.length)]
      return callOf(operation, {
        ...rest,
        segments: Object.fromEntries(
          Object.entries(segments).map(([name, sent]) => [name, name === position ? another(sent) : sent]),
        ),
        query: query.map(([name, sent]) => [name, name === position ? another(sent) : sent]),
        ...(operation.body && {
          body: Object.fromEntries(
            Object.entries(body).map(([name, value]) => [name, name === position ? oddMember(value) : value]),
          ),
        }),
      })
    })

/** A call with arbitrary values anywhere. */
export function arbitraryCall(demo: DemoValues, operation: Operation): Arbitrary<Call> {
  const value = ({ name, schema, example }: Parameter) =>
    fc.oneof(
      { weight: 3, arbitrary: valid(demo, name, schema, example).map((one) => wire(String(one))) },
      { weight: 2, arbitrary: anyPart },
    )
  const path = parameters(operation, 'path', value)
  const query = parameters(operation, 'query', value)
  const unusualNames = ['attributes', 'access_token', '__proto__', 'constructor', 'a[b]', '']
  const names = fc.constantFrom(...Object.keys(query.values), ...unusualNames)
  return fc
    .record({
      segments: fc.record(path.values),
      query: fc.record(query.values, { requiredKeys: [] }),
      // Repeated, unknown and empty names.
      more: fc.array(fc.tuple(names, anyPart), { maxLength: 2 }),
      headers: arbitraryHeaders(demo),
      payload: fc.option(arbitraryBody(demo, operation), { nil: undefined, freq: 4 }),
    })
    .map(({ query, more, payload, ...parts }) => ({
      ...callOf(operation, { ...parts, query: [...(Object.entries(query) as Pair[]), ...more] }),
      ...(payload !== undefined && { payload }),
    }))
}

/** The call with an addition to its query. */
export const withQuery = (call: Call, more: string): Call => ({
  ...call,
  url: `${call.url}${call.url.includes('?') ? '&' : '?'}${more}`,
})

/** The call by JSONP: every method as GET; `shouted` writes it in upper case. */
export const asJsonp = ({ method, payload, ...call }: Call, callback: string, isUpperCase = true): Call => {
  const get = withQuery({ ...call, method: 'GET' }, `callback=${callback}`)
  if (method === 'GET') return get
  const jsonp = withQuery(get, `_method=${isUpperCase ? method : method.toLowerCase()}`)
  return payload === undefined ? jsonp : withQuery(jsonp, `_body=${wire(payload.toString())}`)
}
