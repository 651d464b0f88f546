import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { decoded } from '../../http/paths.ts'

/** What programs write for no value is a malformed id. */
const WORD = /\/(?!(?:null|undefined|none|nil)\b)[a-z]{2,}(?:_[a-z]+)*\/?$/

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
  /** The path of its schema in the document. */
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
  /** A documented body. */
  example?: Record<string, unknown> | undefined
  isBodyOptional: boolean
  /** The content types of its body; empty without a body. */
  types: string[]
  /** Whether it cannot be called without a token. */
  needsToken: boolean
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

/** The result of a call, answered plainly or by JSONP. */
export interface Outcome {
  status: number
  /** The content type; undefined for JSONP. */
  type?: string | undefined
  /** Undefined if the answer has none. */
  body?: unknown
}

/** Whether its body is files, which has a limit of its own [spec: http.body.upload]. */
export const isUpload = ({ types }: Operation): boolean => types.includes('multipart/form-data')

interface RawOperation {
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema; example?: Record<string, unknown> }> }
  security?: object[]
  responses: Operation['responses']
}

/** The parts of a request as text. */
interface RequestParts {
  path: string
  query: URLSearchParams
  body: string
}

/** The checks that follow from a document at the root of the repository, `openapi.json` or `openapi.sandbox.json`. */
export function openapiOf(file: string, isIncluded: (path: string) => boolean = () => true) {
  const document = JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'))
  // Most validators run a few times only, so that optimizing them takes longer than it saves.
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    code: { optimize: false },
    inlineRefs: false,
  }).addSchema(document, file)

  /** Every operation of the document except event streams, so that new routes are covered automatically. */
  const operations: Operation[] = Object.entries<Record<string, RawOperation>>(document.paths)
    .filter(([path]) => isIncluded(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, raw]) => operation(method.toUpperCase(), path, raw)),
    )
    .filter(({ responses }) => !responses[200]?.content?.['text/event-stream'])

  function operation(method: string, path: string, raw: RawOperation): Operation {
    const security = raw.security ?? []
    const [content] = Object.values(raw.requestBody?.content ?? {})
    const parameters = (raw.parameters ?? []).map((raw, n): Parameter => {
      const at = '$ref' in raw ? placeOf(raw.$ref) : ['paths', path, method.toLowerCase(), 'parameters', String(n)]
      return { ...(memberAt(at) as Parameter), place: [...at, 'schema'] }
    })
    return {
      method,
      path,
      parameters,
      body: content?.schema,
      example: content?.example,
      isBodyOptional: raw.requestBody?.required === false,
      types: Object.keys(raw.requestBody?.content ?? {}),
      needsToken: security.length > 0 && security.every((scheme) => Object.keys(scheme).length > 0),
      responses: raw.responses,
    }
  }

  /** A path of two parts, the second an id: a word there is another path [spec: http.path.word]. */
  const takesNoWord = (parts: string[], [first]: Operation[]): boolean => {
    const { schema } = first?.parameters.find((one) => one.in === 'path') ?? {}
    return (
      parts.length === 3 && parts[2]!.startsWith('{') && (schema?.type === 'integer' || schema?.pattern !== undefined)
    )
  }

  /** The operations of a path, fixed segments before parameters, because the router takes the first match. */
  function operationsAt(pathname: string): Operation[] {
    const segments = pathname
      .replace(/(?<=.)\/$/, '')
      .split('/')
      .map(decoded)
    const matching = (length: number) =>
      (templates.get(length) ?? []).filter(({ parts }) =>
        parts.every((part, n) => part.startsWith('{') || part === segments[n]),
      )
    const exact = matching(segments.length).filter(
      ({ parts, pathOperations }) => !takesNoWord(parts, pathOperations) || !WORD.test(pathname),
    )
    const lengths = [...templates.keys()].sort((a, b) => b - a)
    const found = exact.length > 0 ? exact : lengths.map(openTemplates).find((open) => open.length > 0)
    return (found ?? []).flatMap(({ pathOperations }) => pathOperations)

    /** `/global/{path}` has all paths below. */
    function openTemplates(length: number) {
      return length < segments.length ? matching(length).filter(({ parts }) => parts.at(-1) === '{path}') : []
    }
  }

  /** By the number of their segments. */
  const templates = Map.groupBy(
    Object.keys(document.paths)
      .map((path) => ({
        parts: path.split('/'),
        pathOperations: operations.filter((operation) => operation.path === path),
      }))
      .sort((a, b) => (parameterPositions(a.parts) < parameterPositions(b.parts) ? -1 : 1)),
    ({ parts }) => parts.length,
  )

  /** The first difference between an answer and the document, or undefined. */
  function mismatch(
    { method, path, responses }: Operation,
    { status, type, body }: Outcome,
    /** The members named by `attributes`. */
    names?: Set<string>,
  ): string | undefined {
    const response = responses[status]
    if (!response) return `${method} ${path} does not document status ${status}`
    const types = Object.keys(response.content ?? {})
    const documented = types.find((one) => type?.startsWith(one)) ?? types[0]
    if (documented === undefined)
      return body === undefined || body === null ? undefined : `${method} ${path} ${status} documents no body`
    if (type !== undefined && !type.startsWith(documented))
      return `${method} ${path} ${status} documents ${documented}, not ${type}`
    const place = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', documented, 'schema']
    // Bytes have no members.
    if (!names || status >= 300 || documented !== 'application/json') return invalid(place, body)
    return path === '/items' ? multigetMismatch(place, body, names) : projectionMismatch(place, body, names)
  }

  /** The first part of a request that the document does not allow, or undefined. Digits are accepted as integers. */
  function requestMismatch(operation: Operation, request: RequestParts): string | undefined {
    const { method, path, parameters, body: schema, isBodyOptional } = operation
    const segments = request.path.split('/').map(decodeURIComponent)
    for (const { name, place, required, schema, ...at } of parameters) {
      if (name === 'attributes' || name === 'callback') continue
      const segment = segments[path.split('/').indexOf(`{${name}}`)]
      const values = at.in === 'path' ? [segment!] : request.query.getAll(name)
      if (values.length === 0 && required) return `${name} is missing`
      if (values.length > 1 && schema.type !== 'array') return `${name} is repeated`
      const wrong = values.length > 0 && invalid(place, coerced(schema, schema.type === 'array' ? values : values[0]))
      if (wrong) return `${name}=${JSON.stringify(values)} ${wrong}`
    }
    if (!schema || isUpload(operation) || (isBodyOptional && request.body === '')) return undefined
    // Some clients send a byte order mark first.
    const value = coerced(resolveReference(schema), JSON.parse(request.body.replace(/^\ufeff/, '')))
    const wrong = invalid(
      ['paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema'],
      value,
    )
    return wrong && `${JSON.stringify(request.body)} ${wrong}`
  }

  /** Follows references to the schema itself. */
  function resolveReference(schema: Schema): Schema {
    return schema.$ref ? resolveReference(memberAt(placeOf(schema.$ref)) as Schema) : schema
  }

  /** For answers without an operation: the error object that all paths share. */
  const errorMismatch = (body: unknown): string | undefined => invalid(ERROR, body)

  /** The members of the 200 answer of an operation, or of its elements. */
  function membersOf({ method, path, responses }: Operation): string[] {
    const [type] = Object.keys(responses[200]?.content ?? {})
    // An answer without content has no members.
    if (type === undefined) return []
    const place = ['paths', path, method.toLowerCase(), 'responses', '200', 'content', type, 'schema']
    return objectsAt(place).flatMap((at) => Object.keys((memberAt(at) as Schema).properties ?? {}))
  }

  /** Checks a projected answer as `mismatchOfForm` does, in any of its forms. */
  function projectionMismatch(place: string[], body: unknown, names: Set<string>): string | undefined {
    const found = objectsAt(place).map((at) => mismatchOfForm(at, body, names))
    return found.includes(undefined) ? undefined : found[0]
  }

  /** Checks that each object has exactly the named members, each matching its own schema. */
  function mismatchOfForm(at: string[], body: unknown, names: Set<string>): string | undefined {
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
  function multigetMismatch(place: string[], body: unknown, names: Set<string>): string | undefined {
    const wrong = invalid(place, body)
    if (wrong) return wrong
    for (const element of body as { code: number; body: object }[]) {
      if (element.code !== 200) continue
      if (names.has('status') !== 'status' in element) return 'status appears next to body only if requested'
      const projectionError = projectionMismatch(['components', 'schemas', 'Item'], element.body, names)
      if (projectionError) return projectionError
    }
  }

  /** The paths of the object's schemas: behind references, the elements of a list, the parts of a choice. */
  function objectsAt(place: string[]): string[][] {
    const { $ref, items, anyOf } = memberAt(place) as Schema
    if ($ref) return objectsAt(placeOf($ref))
    if (items) return objectsAt([...place, 'items'])
    const partAt = ({ type }: Schema, n: number) => (type === 'null' ? [] : objectsAt([...place, 'anyOf', String(n)]))
    return anyOf ? anyOf.flatMap(partAt) : [place]
  }

  function memberAt(place: string[]): object {
    return place.reduce((value, name) => (value as Record<string, object>)[name]!, document)
  }

  const validators = new Map<string, ValidateFunction>()
  const texts = new WeakMap<object, string>()

  /** The error of a value under the schema at a path of the document. Equal schemas are compiled once: most are of errors. */
  function invalid(place: string[], value: unknown): string | undefined {
    const schema = memberAt(place)
    const key = texts.get(schema) ?? JSON.stringify(schema)
    texts.set(schema, key)
    const validate = validators.get(key) ?? ajv.compile({ $ref: referenceTo(place) })
    validators.set(key, validate)
    return validate(value) ? undefined : `does not match its schema: ${ajv.errorsText(validate.errors)}`
  }

  const referenceTo = (place: string[]) =>
    `${file}#/${place.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`

  return { operations, operationsAt, mismatch, requestMismatch, errorMismatch, membersOf, resolveReference }
}

const ERROR = ['components', 'schemas', 'Error']
const parameterPositions = (parts: string[]): string => parts.map((part) => (part.startsWith('{') ? 1 : 0)).join('')

function placeOf($ref: string): string[] {
  return $ref.slice('#/'.length).split('/')
}

/** Converts digits to integers where the schema has integers. */
function coerced({ type, items, properties = {}, anyOf }: Schema, value: unknown): unknown {
  const sent = Array.isArray(value) ? 'array' : typeof value
  const one = anyOf?.find(({ type }) => type === sent) ?? anyOf?.find(({ type }) => type === 'integer')
  if (one) return coerced(one, value)
  if (type === 'integer') return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  if (items && Array.isArray(value)) return value.map((element) => coerced(items, element))
  if (type !== 'object' || typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, coerced(properties[name] ?? {}, member)]),
  )
}

/** Of the emulated API. */
const api = openapiOf('openapi.json')
export const { operationsAt, mismatch, requestMismatch, errorMismatch, membersOf } = api
/** Without the one that ends the token of its caller, and so the calls after it. */
export const operations = api.operations.filter(
  ({ path, method }) => method !== 'DELETE' || !path.startsWith('/users/{user_id}/applications/'),
)
