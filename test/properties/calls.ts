import fc, { type Arbitrary } from 'fast-check'
import { anyCharacter } from '../support/characters.ts'
import type { Operation, Parameter, Schema } from '../support/openapi.ts'
import type { Call } from './answers.ts'
import type { Demo } from './demo.ts'
import { BODIES, CONTENT_TYPES, latin1, NAMES, ODD_CONTENT_TYPES, texts, wild, wire } from './values.ts'

/** What exists, or is allowed, for a parameter or member. */
function candidates({ known }: Demo, name: string, schema: Schema, example?: unknown): unknown[] {
  const { enum: listed = [], examples = [], minimum, maximum } = schema
  const values = known[name] ?? [example, ...examples, ...listed, minimum, maximum].flat()
  const some = values.filter((value) => value !== undefined && value !== null && fits(schema.items ?? schema, value))
  return some.length > 0 ? some : ['x']
}

const fits = ({ type, pattern }: Schema, value: unknown): boolean =>
  (type !== 'integer' || Number.isSafeInteger(value)) && (!pattern || new RegExp(pattern).test(String(value)))

/** A value that the schema takes. */
function valid(demo: Demo, name: string, schema: Schema, example?: unknown): Arbitrary<unknown> {
  const one = fc.constantFrom(...candidates(demo, name, schema, example))
  return schema.type === 'array' ? fc.uniqueArray(one, { minLength: 1, maxLength: 3 }) : one
}

// Bodies

/** An object with the members that the schema names. */
function tameBody(demo: Demo, { properties = {}, required = [] }: Schema): Arbitrary<Record<string, unknown>> {
  const members = Object.entries(properties).map(([name, schema]) => [
    name,
    valid(demo, name, schema, schema.examples?.[0]),
  ])
  return fc.record(Object.fromEntries(members), { requiredKeys: required })
}

const formOf = (object: Record<string, unknown>): string =>
  Object.entries(object)
    .map(([name, value]) => `${wire(name)}=${wire(String(value))}`)
    .join('&')

function wildBody(demo: Demo, schema: Schema | undefined): Arbitrary<string | Buffer> {
  const tame = tameBody(demo, schema ?? {})
  const member = fc.oneof(
    texts,
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(
      ...Object.values(demo.known)
        .map(([value]) => value)
        .filter((value) => !demo.secrets.includes(String(value))),
    ),
  )
  const own = Object.keys(schema?.properties ?? {})
  const names = fc.oneof(...(own.length > 0 ? [fc.constantFrom(...own)] : []), fc.constantFrom(...NAMES))
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(tame, names, member)
        .map(([object, name, value]) => JSON.stringify(Object.fromEntries([...Object.entries(object), [name, value]]))),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(tame, names).map(([object, name]) => JSON.stringify({ ...object, [name]: undefined })),
    },
    { weight: 1, arbitrary: tame.map(formOf) },
    { weight: 2, arbitrary: fc.constantFrom(...BODIES) },
    { weight: 2, arbitrary: fc.json({ maxDepth: 4 }) },
    { weight: 1, arbitrary: fc.string({ unit: anyCharacter }) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)) },
  )
}

// Headers

/** Neither valid nor absent. */
export const badTokens = ({ tokens: [mine = ''] }: Demo): string[] => [
  `Bearer ${mine}x`,
  `Bearer ${mine.slice(0, -1)}`,
  `Bearer ${mine.toLowerCase()}`,
  `Bearer ${mine.replace('-00000001', '-00000002')}`,
  `Bearer ${mine} ${mine}`,
  `Bearer Bearer ${mine}`,
  `Bearer "${mine}"`,
  `Basic ${mine}`,
  `Token ${mine}`,
  'Bearer APP_USR-1-2-3-4',
  'Bearer __proto__',
  'Bearer \u00ff',
  `Bearer ${'x'.repeat(8000)}`,
  'Digest username="a", realm="b"',
  "' OR 1=1 --",
]
export const NO_TOKENS = ['', 'Bearer ', 'bearer    ']

type Headers = Record<string, string>

const tameHeaders = ({ tokens }: Demo): Arbitrary<Headers> =>
  fc.record(
    {
      authorization: fc.constantFrom(tokens[0], tokens[0], tokens[0], ...tokens).map((token) => `Bearer ${token}`),
      'content-type': fc.constantFrom(...CONTENT_TYPES),
    },
    { requiredKeys: ['authorization'] },
  )

const wildHeaders = (demo: Demo): Arbitrary<Headers> => {
  const good = fc.constantFrom(...demo.tokens).map((token) => `Bearer ${token}`)
  const bad = fc.constantFrom(...badTokens(demo), ...NO_TOKENS)
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
  /** Sent as JSON. */
  body?: Record<string, unknown> | undefined
}

const callOf = ({ method, path }: Operation, { segments, query, headers, body }: Parts): Call => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => segments[name]!)
  const asked = query.map(([name, value]) => `${name}=${value}`).join('&')
  return {
    method,
    url: asked === '' ? filled : `${filled}?${asked}`,
    headers,
    ...(body && { payload: JSON.stringify(body) }),
  }
}

/** What every GET takes is thrown on its own. */
const isShared = (name: string): boolean => name === 'attributes' || name === 'callback'

/** The parameters of a call, each as `value` gives it. */
function parameters(operation: Operation, place: Parameter['in'], value: (at: Parameter) => Arbitrary<string>) {
  const those = operation.parameters.filter((at) => at.in === place && !isShared(at.name))
  return {
    values: Object.fromEntries(those.map((at) => [at.name, value(at)])),
    required: those.filter(({ required }) => required || place === 'path').map(({ name }) => name),
  }
}

function tameParts(demo: Demo, operation: Operation): Arbitrary<Parts> {
  const value = ({ name, schema, example }: Parameter) =>
    valid(demo, name, schema, example).map((one) => wire(String(one)))
  const path = parameters(operation, 'path', value)
  const query = parameters(operation, 'query', value)
  const { values: own } = parameters(operation, 'header', value)
  return fc
    .record({
      segments: fc.record(path.values),
      // Most leave out most: too many filters find nothing.
      query: fc
        .oneof(
          fc.record(query.values, { requiredKeys: query.required }),
          fc.record(Object.fromEntries(query.required.map((name) => [name, query.values[name]!]))),
        )
        .map((object) => Object.entries(object) as Pair[]),
      headers: fc
        .tuple(tameHeaders(demo), fc.record(own, { requiredKeys: [] }))
        .map(([all, more]) => ({ ...all, ...more }) as Headers),
      body: operation.body ? tameBody(demo, operation.body) : fc.constant(undefined),
      tokenInQuery: fc.constantFrom(false, false, false, true),
    })
    .map(({ tokenInQuery, ...parts }) => (tokenInQuery ? withQueryToken(parts) : parts))
}

const withQueryToken = ({ headers: { authorization = '', ...headers }, query, ...parts }: Parts): Parts => ({
  ...parts,
  headers,
  query: [...query, ['access_token', wire(authorization.replace('Bearer ', ''))]],
})

/** A call as a well-meaning program makes it: everything has its form, most of it exists. */
export const tame = (demo: Demo, operation: Operation): Arbitrary<Call> =>
  tameParts(demo, operation).map((parts) => callOf(operation, parts))

/** What looks like a value but is written otherwise. */
const DISGUISES: ((value: string) => string)[] = [
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
const JSON_DISGUISES: ((value: unknown) => unknown)[] = [
  (value) => [value],
  (value) => [[value]],
  (value) => ({ value }),
  (value) => [value].flat()[0],
  () => null,
  () => true,
  ...DISGUISES.map((disguise) => (value: unknown) => disguise(String(value))),
]

/** A call with one wrong value among good ones, which nothing else would get refused. */
export const nearly = (demo: Demo, operation: Operation): Arbitrary<Call> =>
  fc
    .record({
      parts: tameParts(demo, operation),
      at: fc.nat({ max: 1000 }),
      odd: fc.oneof(
        texts.map((text) => () => text),
        fc.constantFrom(...DISGUISES),
      ),
      oddMember: fc.oneof(
        fc.oneof(texts, fc.jsonValue({ maxDepth: 2 })).map((value) => () => value),
        fc.constantFrom(...JSON_DISGUISES),
      ),
    })
    .map(({ parts: { segments, query, body = {}, ...rest }, at, odd, oddMember }) => {
      const another = (sent: string) => wire(odd(decodeURIComponent(sent)))
      const spots = [...Object.keys(segments), ...query.map(([name]) => name), ...Object.keys(body)]
      const spot = spots[at % Math.max(1, spots.length)]
      return callOf(operation, {
        ...rest,
        segments: Object.fromEntries(
          Object.entries(segments).map(([name, sent]) => [name, name === spot ? another(sent) : sent]),
        ),
        query: query.map(([name, sent]) => [name, name === spot ? another(sent) : sent]),
        ...(operation.body && {
          body: Object.fromEntries(
            Object.entries(body).map(([name, value]) => [name, name === spot ? oddMember(value) : value]),
          ),
        }),
      })
    })

/** A call in which anything may stand anywhere. */
export function hostile(demo: Demo, operation: Operation): Arbitrary<Call> {
  const value = ({ name, schema, example }: Parameter) =>
    fc.oneof(
      { weight: 3, arbitrary: valid(demo, name, schema, example).map((one) => wire(String(one))) },
      { weight: 2, arbitrary: wild },
    )
  const path = parameters(operation, 'path', value)
  const query = parameters(operation, 'query', value)
  const odd = ['attributes', 'access_token', '__proto__', 'constructor', 'a[b]', '']
  const names = fc.constantFrom(...Object.keys(query.values), ...odd)
  return fc
    .record({
      segments: fc.record(path.values),
      query: fc.record(query.values, { requiredKeys: [] }),
      // Repeated, unknown and nameless ones.
      more: fc.array(fc.tuple(names, wild), { maxLength: 2 }),
      headers: wildHeaders(demo),
      payload: fc.option(wildBody(demo, operation.body), { nil: undefined, freq: 4 }),
    })
    .map(({ query, more, payload, ...parts }) => ({
      ...callOf(operation, { ...parts, query: [...(Object.entries(query) as Pair[]), ...more] }),
      ...(payload !== undefined && { payload }),
    }))
}

/** The call with more in its query. */
export const asking = (call: Call, more: string): Call => ({
  ...call,
  url: `${call.url}${call.url.includes('?') ? '&' : '?'}${more}`,
})

/** The call as a script makes it: every method in a GET; `shouted` in capitals. */
export const scripted = ({ method, payload, ...call }: Call, callback: string, shouted = true): Call => {
  const get = asking({ ...call, method: 'GET' }, `callback=${callback}`)
  if (method === 'GET') return get
  const written = asking(get, `_method=${shouted ? method : method.toLowerCase()}`)
  return payload === undefined ? written : asking(written, `_body=${wire(payload.toString())}`)
}
