import type { NewStub } from '../control/stubs/schemas.ts'
import type { Imported, Skipped } from './calls.ts'
import { createSampler, type Resolve, type Sampler, type Schema } from './sample.ts'

interface Example {
  $ref?: string
  value?: unknown
}
interface Media {
  schema?: Schema
  example?: unknown
  examples?: Record<string, Example>
}
interface Response {
  $ref?: string
  /** OpenAPI 3. */
  content?: Record<string, Media>
  /** OpenAPI 2. */
  schema?: Schema
  examples?: Record<string, unknown>
}
interface Operation {
  responses?: Record<string, Response>
}
/** The parts of OpenAPI 2.0, 3.0 and 3.1 that stubs are made from. */
export interface OpenApi {
  openapi?: string
  swagger?: string
  basePath?: string
  servers?: { url?: string }[]
  paths?: Record<string, Record<string, Operation>>
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

export const isOpenApi = (document: unknown): document is OpenApi =>
  typeof document === 'object' && document !== null && ('openapi' in document || 'swagger' in document)

/** A stub for each operation: the example of its first success, else a small value of its schema. Throws TooManyValues. */
export function stubsOfOpenApi(document: OpenApi): Imported {
  const resolve = createResolve(document)
  const sampler = createSampler(resolve)
  const skipped: Skipped[] = []
  const stubs: NewStub[] = []
  const base = basePathOf(document)
  for (const [path, operations] of Object.entries(document.paths ?? {}))
    for (const method of METHODS) {
      const operation = operations?.[method]
      if (!operation) continue
      const match = { method: method.toUpperCase(), path: base + path }
      const call = `${match.method} ${match.path}`
      const answer = answerOf(operation, call, resolve, sampler)
      if (typeof answer === 'string') skipped.push({ what: call, why: answer })
      else stubs.push({ match, answer })
    }
  // A fixed part wins over a parameter, as in OpenAPI.
  const parameters = ({ match }: NewStub) => match.path.split('{').length
  return { stubs: stubs.sort((a, b) => parameters(a) - parameters(b)), skipped }
}

/** The path of the first server. */
function basePathOf({ servers, basePath = '' }: OpenApi): string {
  const url = servers?.[0]?.url ?? basePath
  const path = URL.canParse(url, 'http://localhost') ? new URL(url, 'http://localhost').pathname : ''
  return path.replace(/\/$/, '')
}

/** The answer of an operation, or why it has none. */
function answerOf(
  { responses = {} }: Operation,
  call: string,
  resolve: Resolve,
  sampler: Sampler,
): NewStub['answer'] | string {
  const codes = Object.keys(responses).sort()
  const code = codes.find((one) => /^2\d\d$/.test(one)) ?? codes.find((one) => /^(2XX|default)$/i.test(one)) ?? codes[0]
  if (code === undefined) return 'it has no responses'
  const response = resolve(responses[code])
  if (!response) return 'its response refers to another file'
  const status = /^\d+$/.test(code) ? Number(code) : 200
  if (status < 200) return `its status is ${code}`
  const body = bodyOf(response, call, resolve, sampler)
  return { status, ...(body !== undefined && status !== 204 && { body }) }
}

function bodyOf(
  { content, schema, examples }: Response,
  call: string,
  resolve: Resolve,
  { sampleOf, use }: Sampler,
): unknown {
  const example = Object.entries(examples ?? {}).find(([type]) => isJson(type))
  if (example) return use(example[1], call)
  if (schema) return sampleOf(schema, call)
  const media = Object.entries(content ?? {}).find(([type]) => isJson(type))?.[1]
  if (!media) return undefined
  if (media.example !== undefined) return use(media.example, call)
  const [first] = Object.values(media.examples ?? {})
  const value = resolve(first)?.value
  return value === undefined ? sampleOf(media.schema, call) : use(value, call)
}

const isJson = (type: string): boolean => /\bjson\b/i.test(type) || type === '*/*'

const MAX_REFERENCES = 20

/** References within the document only: no other file and no address is read. */
function createResolve(document: object): Resolve {
  const find = (reference: string): unknown => {
    if (!reference.startsWith('#/')) return undefined
    const names = reference.slice(2).split('/').map(decodePointer)
    return names.reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name]
          : undefined,
      document,
    )
  }
  return <T extends { $ref?: string }>(given: T | undefined): T | undefined => {
    let value = given
    for (let n = 0; n < MAX_REFERENCES && typeof value?.$ref === 'string'; n++)
      value = find(value.$ref) as T | undefined
    return typeof value === 'object' && value !== null && typeof value.$ref !== 'string' ? value : undefined
  }
}

const decodePointer = (text: string): string => decodeURIComponent(text).replaceAll('~1', '/').replaceAll('~0', '~')
