import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  examples?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  maxItems?: number
  anyOf?: Schema[]
}

export interface Parameter {
  /** Where its schema stands in the document. */
  place: string[]
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
  example?: unknown
}

export interface Operation {
  /** Upper case. */
  method: string
  path: string
  parameters: Parameter[]
  body?: Schema | undefined
  /** What its body may come as; none where it has none. */
  types: string[]
  /** It cannot be called without a token. */
  needsToken: boolean
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

/** What a call came to, whether it was answered plainly or through a script. */
export interface Outcome {
  status: number
  /** The content type; undefined where a script has taken its place. */
  type?: string | undefined
  /** Undefined where the answer has none. */
  body?: unknown
}

interface RawOperation {
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  security?: object[]
  responses: Operation['responses']
}

/** What a request asked with, as text. */
export interface Asked {
  path: string
  query: URLSearchParams
  body: string
}

/**
 * What a document at the root of the repository, `openapi.json` or `openapi.sandbox.json`, says of calls and answers.
 */
export function openapiOf(file: string, about: (path: string) => boolean = () => true) {
  const document = JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'))
  // Most validators are used a few times: to optimize one takes longer than it saves.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } }).addSchema(
    document,
    file,
  )

  /** Every operation of the document that ends by itself: a new route is covered by standing there. */
  const operations: Operation[] = Object.entries<Record<string, RawOperation>>(document.paths)
    .filter(([path]) => about(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, raw]) => operation(method.toUpperCase(), path, raw)),
    )
    .filter(({ responses }) => !responses[200]?.content?.['text/event-stream'])

  function operation(method: string, path: string, raw: RawOperation): Operation {
    const security = raw.security ?? []
    const parameters = (raw.parameters ?? []).map((given, n): Parameter => {
      const at = '$ref' in given ? placeOf(given.$ref) : ['paths', path, method.toLowerCase(), 'parameters', String(n)]
      return { ...(memberAt(at) as Parameter), place: [...at, 'schema'] }
    })
    return {
      method,
      path,
      parameters,
      body: Object.values(raw.requestBody?.content ?? {})[0]?.schema,
      types: Object.keys(raw.requestBody?.content ?? {}),
      needsToken: security.length > 0 && security.every((way) => Object.keys(way).length > 0),
      responses: raw.responses,
    }
  }

  /**
   * The operations on an address, those of fixed segments before those of parameters: the router takes the first that
   * has the method.
   */
  function operationsAt(pathname: string): Operation[] {
    const segments = pathname
      .replace(/(?<=.)\/$/, '')
      .split('/')
      .map(decodeURIComponent)
    return (templates.get(segments.length) ?? [])
      .filter(({ parts }) => parts.every((part, n) => part.startsWith('{') || part === segments[n]))
      .flatMap(({ those }) => those)
  }

  /** By the number of their segments. */
  const templates = Map.groupBy(
    Object.keys(document.paths)
      .map((path) => ({ parts: path.split('/'), those: operations.filter((operation) => operation.path === path) }))
      .sort((a, b) => (wildness(a.parts) < wildness(b.parts) ? -1 : 1)),
    ({ parts }) => parts.length,
  )

  /** What is wrong with an answer of an operation, by the document; undefined when it is as documented. */
  function mismatch(
    { method, path, responses }: Operation,
    { status, type, body }: Outcome,
    /** Members that `attributes` asked for. */
    names?: Set<string>,
  ): string | undefined {
    const response = responses[status]
    if (!response) return `${method} ${path} does not document status ${status}`
    const [documented] = Object.keys(response.content ?? {})
    if (documented === undefined)
      return body === undefined || body === null ? undefined : `${method} ${path} ${status} documents no body`
    if (type !== undefined && !type.startsWith(documented))
      return `${method} ${path} ${status} documents ${documented}, not ${type}`
    const place = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', documented, 'schema']
    if (!names || status >= 300) return invalid(place, body)
    return path === '/items' ? manyMismatch(place, body, names) : partMismatch(place, body, names)
  }

  /**
   * What the document does not allow in a request; undefined when it is as documented. An integer may come as its
   * digits.
   */
  function unfit({ method, path, parameters, body: schema }: Operation, asked: Asked): string | undefined {
    const segments = asked.path.split('/').map(decodeURIComponent)
    for (const { name, place, required, schema, ...at } of parameters) {
      if (name === 'attributes' || name === 'callback') continue
      const inPath = segments[path.split('/').indexOf(`{${name}}`)]
      const sent = at.in === 'path' ? [inPath!] : asked.query.getAll(name)
      if (sent.length === 0 && required) return `${name} is missing`
      if (sent.length > 1 && schema.type !== 'array') return `${name} stands twice`
      const wrong = sent.length > 0 && invalid(place, meant(schema, schema.type === 'array' ? sent : sent[0]))
      if (wrong) return `${name}=${JSON.stringify(sent)} ${wrong}`
    }
    if (!schema) return undefined
    // Some platforms' writers begin a text with a byte order mark.
    const value = meant(resolved(schema), JSON.parse(asked.body.replace(/^\ufeff/, '')))
    const wrong = invalid(
      ['paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema'],
      value,
    )
    return wrong && `${JSON.stringify(asked.body)} ${wrong}`
  }

  /** The schema that a reference leads to; any other is itself. */
  function resolved(schema: Schema): Schema {
    return schema.$ref ? resolved(memberAt(placeOf(schema.$ref)) as Schema) : schema
  }

  /** An answer that no operation documents: the error object that every path shares. */
  const errorMismatch = (body: unknown): string | undefined => invalid(ERROR, body)

  /** The members of what an operation answers with 200, or of its elements. */
  function membersOf({ method, path, responses }: Operation): string[] {
    const [type] = Object.keys(responses[200]?.content ?? {})
    // What is told by the status alone has none.
    if (type === undefined) return []
    const place = ['paths', path, method.toLowerCase(), 'responses', '200', 'content', type, 'schema']
    return Object.keys((memberAt(objectAt(place)) as Schema).properties ?? {})
  }

  /** A projected answer: of each object exactly the members asked for that it has, each as its own schema says. */
  function partMismatch(place: string[], body: unknown, names: Set<string>): string | undefined {
    const at = objectAt(place)
    const { properties = {}, required = [] } = memberAt(at) as Schema
    for (const element of [body].flat()) {
      const members = Object.entries(element as object)
      const missing = required.find((name) => names.has(name) && !Object.hasOwn(element as object, name))
      if (missing !== undefined) return `the projection lacks ${missing}`
      for (const [name, value] of members) {
        if (!names.has(name)) return `the projection has ${name}, which was not asked for`
        if (!Object.hasOwn(properties, name)) return `the document knows no member ${name}`
        const wrong = invalid([...at, 'properties', name], value)
        if (wrong) return `${name}: ${wrong}`
      }
    }
  }

  /** The multiget of listings projects inside each `body`. */
  function manyMismatch(place: string[], body: unknown, names: Set<string>): string | undefined {
    const wrong = invalid(place, body)
    if (wrong) return wrong
    for (const element of body as { code: number; body: object }[]) {
      if (element.code !== 200) continue
      if (names.has('status') !== 'status' in element) return 'status stands beside body only when it is asked for'
      const wrongPart = partMismatch(['components', 'schemas', 'Item'], element.body, names)
      if (wrongPart) return wrongPart
    }
  }

  /** Where the schema of the object stands: behind references; the elements' of a list, the first of a choice. */
  function objectAt(place: string[]): string[] {
    const { $ref, items, anyOf } = memberAt(place) as Schema
    if ($ref) return objectAt(placeOf($ref))
    if (items) return objectAt([...place, 'items'])
    return anyOf ? objectAt([...place, 'anyOf', '0']) : place
  }

  function memberAt(place: string[]): unknown {
    return place.reduce((value, name) => (value as Record<string, unknown>)[name], document)
  }

  const validators = new Map<string, ValidateFunction>()

  /** What the schema at a place of the document says against a value. Compiled once. */
  function invalid(place: string[], value: unknown): string | undefined {
    const key = place.join(' ')
    const validate = validators.get(key) ?? ajv.compile({ $ref: referenceTo(place) })
    validators.set(key, validate)
    return validate(value) ? undefined : `does not match its schema: ${ajv.errorsText(validate.errors)}`
  }

  const referenceTo = (place: string[]) =>
    `${file}#/${place.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`

  return { operations, operationsAt, mismatch, unfit, errorMismatch, membersOf, resolved }
}

const ERROR = ['components', 'schemas', 'Error']
const wildness = (parts: string[]): string => parts.map((part) => (part.startsWith('{') ? 1 : 0)).join('')

function placeOf($ref: string): string[] {
  return $ref.slice('#/'.length).split('/')
}

/** The value with the integers that came as digits. */
function meant({ type, items, properties = {}, anyOf }: Schema, value: unknown): unknown {
  const one = anyOf?.find(({ type }) => type === (Array.isArray(value) ? 'array' : typeof value))
  if (one) return meant(one, value)
  if (type === 'integer') return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  if (items && Array.isArray(value)) return value.map((element) => meant(items, element))
  if (type !== 'object' || typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, meant(properties[name] ?? {}, member)]),
  )
}

/** The emulated API's. */
export const { operations, operationsAt, mismatch, unfit, errorMismatch, membersOf } = openapiOf('openapi.json')
