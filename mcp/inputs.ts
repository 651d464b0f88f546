import { readAsset } from '../db/assets.ts'
import { MAX_ROWS } from './answer.ts'
import type { Arguments, ControlTool, Schema, Tool } from './tool.ts'

// Inputs of tools are the parameters and members of the body of their calls, as the OpenAPI document has them.

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: Schema
}

interface Operation {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

interface ControlDocument {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** An argument, and where a call has it. */
interface Input {
  place: 'path' | 'query' | 'body'
  schema: Schema
  isRequired: boolean
}

let document: ControlDocument | undefined
const readDocument = (): ControlDocument => {
  document ??= JSON.parse(readAsset('openapi.sandbox.json').toString()) as ControlDocument
  return document
}

const LIMIT: Schema = {
  type: 'integer',
  minimum: 1,
  maximum: MAX_ROWS,
  default: MAX_ROWS,
  description: 'Rows of the answer',
}

const WORLD: Schema = {
  type: 'integer',
  minimum: 1,
  description: 'Number of the world; default: that of the server address',
}

/** Arguments that no call gets as they are given, so that the server cannot check them. */
const OWN_ARGUMENTS = new Set(['limit', 'world'])

/** The inputs of a control call by name. */
function inputsOf(call: string): Map<string, Input> {
  const [method, path] = call.split(' ') as [string, string]
  const operation = readDocument().paths[`/_sandbox${path}`]![method.toLowerCase()]!
  const inputs = new Map<string, Input>()
  for (const { name, in: place, required, description, schema } of operation.parameters ?? [])
    if (place !== 'header')
      inputs.set(name, { place, isRequired: required, schema: { ...shorten(schema), description } })
  const { properties = {}, required = [] } = bodyOf(operation)
  for (const [name, schema] of Object.entries(properties))
    inputs.set(name, { place: 'body', isRequired: required.includes(name), schema })
  return inputs
}

/** The body of one element, where the call also takes a list. */
function bodyOf({ requestBody }: Operation): Schema {
  const body = shorten(requestBody?.content['application/json']?.schema ?? {})
  return body.anyOf?.[0] ?? body
}

/** What the server checks in any case, and what agents need not read. */
const LEFT_OUT = new Set(['examples', 'pattern', 'minLength', 'maxLength', 'additionalProperties'])

/** A schema without references, examples and details. */
function shorten(schema: Schema): Schema {
  if (typeof schema.$ref === 'string')
    return shorten(readDocument().components.schemas[schema.$ref.split('/').at(-1)!]!)
  const { type, properties, ...rest } = schema
  const keywords = Object.entries(rest).filter(
    ([keyword, value]) => !LEFT_OUT.has(keyword) && value !== Number.MAX_SAFE_INTEGER,
  )
  return {
    // Several clients know one type only.
    ...(Array.isArray(type) ? { anyOf: type.map((one) => ({ type: one })) } : type && { type }),
    ...Object.fromEntries(keywords.map(([keyword, value]) => [keyword, shortenValue(value)])),
    ...(properties && { properties: mapValues(properties, shorten) }),
  }
}

function shortenValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortenValue)
  return typeof value === 'object' && value !== null ? shorten(value as Schema) : value
}

const mapValues = <A, B>(record: Record<string, A>, change: (value: A, name: string) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]))

/** The input of a tool, as clients see it. */
export function inputSchema(tool: Tool): Schema {
  const own = 'call' in tool ? controlInput(tool) : { properties: tool.input, required: tool.required ?? [] }
  const world = 'call' in tool && tool.isOfServer ? {} : { world: WORLD }
  return { type: 'object', additionalProperties: false, ...own, properties: { ...own.properties, ...world } }
}

function controlInput({ call, one, only, fixed = {} }: ControlTool) {
  const list = inputsOf(call)
  const element = one === undefined ? new Map<string, Input>() : inputsOf(one)
  const all = new Map([...element, ...list])
  // One way to page is enough: `next` of an answer has its argument.
  const isOffered = (name: string) =>
    !(name in fixed) && (only?.includes(name) ?? true) && !(name === 'offset' && all.has('before'))
  const inputs = [...all].filter(([name]) => isOffered(name))
  return {
    properties: Object.fromEntries(inputs.map(([name, { schema }]) => [name, name === 'limit' ? LIMIT : schema])),
    required: inputs.filter(([name]) => list.get(name)?.isRequired).map(([name]) => name),
  }
}

/**
 * What is checked before the call: the names of the arguments, and those that the server does not get. It checks all others
 * itself, with messages that are made for them.
 */
export function checkedSchema(tool: Tool): Schema {
  const schema = inputSchema(tool)
  if (!('call' in tool)) return schema
  return { ...schema, properties: mapValues(schema.properties!, (one, name) => (OWN_ARGUMENTS.has(name) ? one : {})) }
}

/** The call that a tool makes with these arguments. */
export function requestOf(tool: ControlTool, args: Arguments) {
  const isOne = tool.one !== undefined && pathNames(tool.one).every((name) => args[name] !== undefined)
  const call = isOne ? tool.one! : tool.call
  const inputs = inputsOf(call)
  const request = { call, path: {} as Arguments, query: {} as Arguments, body: undefined as Arguments | undefined }
  const limit = inputs.has('limit') && inputs.get('limit')!.place === 'query' ? { limit: MAX_ROWS } : {}
  for (const [name, value] of Object.entries({ ...limit, ...tool.fixed, ...args })) {
    const input = inputs.get(name)
    if (!input) continue
    if (input.place === 'body') request.body = { ...request.body, [name]: value }
    else request[input.place][name] = value
  }
  return request
}

const pathNames = (call: string): string[] => [...call.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
