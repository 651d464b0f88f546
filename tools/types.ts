import type { Document } from './openapi.ts'

/** Where the types of the control calls are committed. */
export const TYPES = 'lib/operations.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  default?: unknown
  then?: Schema
  else?: Schema
}
type Content = Record<string, { schema: Schema }>
interface Parameter {
  name: string
  in: 'path' | 'query'
  required?: boolean
  description?: string
  schema: Schema
}

/**
 * The shapes of an OpenAPI document of ours as TypeScript that needs nothing else: its named schemas, and of each call
 * what it takes and answers. Throws for what no schema of ours has.
 */
export function typesOf({ paths, components }: Document): string {
  const schemas = components.schemas as Record<string, Schema>
  const sent = namedBelow(
    Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ requestBody }) => requestBody ?? [])),
    schemas,
  )
  const named = Object.entries(schemas).map(([name, schema]) => member(name, schema, '  ', { isSent: sent.has(name) }))
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const call = `${method.toUpperCase()} ${path.replace(/^\/_sandbox/, '')}`
      return `${told(operation.summary)}  '${call}': ${shapeOf(operation as Described)}\n`
    }),
  )
  return `// Made by \`npm run openapi\` of the routes' own schemas; changes here are lost.

/** What has a name in the OpenAPI document of the control plane. */
export interface Schemas {
${named.join('')}}

/** Every control call: what its address and its body take, and what it answers. */
export interface Operations {
${calls.join('')}}
`
}

interface Described {
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}

function shapeOf({ parameters = [], requestBody, responses }: Described): string {
  const of = (place: Parameter['in']) => {
    const those = parameters.filter((parameter) => parameter.in === place)
    if (those.length === 0) return ''
    const members = those.map(({ name, required = false, description, schema }) =>
      member(name, { ...schema, description: description ?? schema.description }, '      ', { isOptional: !required }),
    )
    return `    ${place}: {\n${members.join('')}    }\n`
  }
  const body = requestBody && `    body: ${typeOf(requestBody.content['application/json']!.schema, '    ', true)}\n`
  const answers = Object.entries(responses).flatMap(([status, { content }]) =>
    Number(status) < 300 ? [content ? typeOf(Object.values(content)[0]!.schema, '    ', false) : 'undefined'] : [],
  )
  return `{\n${of('path')}${of('query')}${body ?? ''}    answer: ${answers.join(' | ')}\n  }`
}

/** The names of the schemas that others refer to, directly or not. */
function namedBelow(roots: unknown, schemas: Record<string, Schema>): Set<string> {
  const found = new Set<string>()
  JSON.stringify(roots, function look(key, value) {
    const name = key === '$ref' && nameIn(value)
    if (name && !found.has(name)) {
      found.add(name)
      JSON.stringify(schemas[name], look)
    }
    return value
  })
  return found
}

const nameIn = (ref: string): string => ref.replace('#/components/schemas/', '')

/** `isSent`: what has a default may be left out. */
function member(
  name: string,
  schema: Schema,
  indent: string,
  { isOptional = false, isSent = false }: { isOptional?: boolean; isSent?: boolean },
): string {
  const key = /^[\w$]+$/.test(name) ? name : `'${name}'`
  const type = typeOf(schema, indent, isSent)
  return `${told(schema.description, indent)}${indent}${key}${isOptional ? '?' : ''}: ${type}\n`
}

const told = (text: string | undefined, indent = '  ') =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`

function typeOf(schema: Schema, indent: string, isSent: boolean): string {
  const below = (one: Schema) => typeOf(one, indent, isSent)
  const { $ref, type, anyOf, properties, required = [], additionalProperties, items } = schema
  if ($ref !== undefined) return `Schemas['${nameIn($ref)}']`
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value).replaceAll('"', "'")).join(' | ')
  if (anyOf) return anyOf.map(below).join(' | ')
  if (schema.then && schema.else) return `${below(schema.then)} | ${below(schema.else)}`
  if (Array.isArray(type)) return type.map((one) => below({ ...schema, type: one })).join(' | ')
  switch (type) {
    case undefined:
      return 'unknown'
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'array': {
      const element = items ? below(items) : 'unknown'
      return / \| /.test(element) && !/^[{[]/.test(element) ? `(${element})[]` : `${element}[]`
    }
    case 'object': {
      if (typeof additionalProperties === 'object') return `Record<string, ${below(additionalProperties)}>`
      if (!properties) return 'Record<string, unknown>'
      const members = Object.entries(properties).map(([name, schema]) => {
        const isOptional = !required.includes(name) || (isSent && schema.default !== undefined)
        return member(name, schema, `${indent}  `, { isOptional, isSent })
      })
      return `{\n${members.join('')}${indent}}`
    }
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`)
  }
}
