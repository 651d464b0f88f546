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

// Many tools have them: the instructions say what they mean.
const LIMIT: Schema = { type: 'integer', minimum: 1, maximum: MAX_ROWS }

const WORLD: Schema = { type: 'integer' }

/** Arguments that no call gets as they are given, so that the server cannot check them. */
const OWN_ARGUMENTS = new Set(['limit', 'world'])

/** The inputs of a control call by name. */
function inputsOf(call: string): Map<string, Input> {
  const [method, path] = call.split(' ') as [string, string]
  const operation = readDocument().paths[`/_sandbox${path}`]![method.toLowerCase()]!
  const inputs = new Map<string, Input>()
  for (const { name, in: place, required, description, schema } of operation.parameters ?? [])
    if (place !== 'header')
      inputs.set(name, {
        place,
        isRequired: required,
        schema: { ...shorten(schema), description: firstSentence(description) },
      })
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
const LEFT_OUT = new Set([
  ...['examples', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'],
  ...['additionalProperties', 'uniqueItems', 'default', 'if', 'then', 'else'],
])

/** A schema without references, examples and details: of members of a member the names and types. */
function shorten(schema: Schema, level = 0): Schema {
  if (typeof schema.$ref === 'string')
    return shorten(readDocument().components.schemas[schema.$ref.split('/').at(-1)!]!, level)
  const { type, properties, description, ...rest } = schema
  const keywords = Object.entries(rest).filter(
    ([keyword]) => !LEFT_OUT.has(keyword) && (level < 2 || keyword === 'required'),
  )
  return {
    // Several clients know one type only.
    ...(Array.isArray(type) ? { anyOf: type.map((one) => ({ type: one })) } : type && { type }),
    ...(description !== undefined && level < 2 && { description: firstSentence(description) }),
    ...Object.fromEntries(keywords.map(([keyword, value]) => [keyword, shortenValue(value, level)])),
    ...(properties && { properties: mapValues(properties, (one) => shorten(one, level + 1)) }),
  }
}

function shortenValue(value: unknown, level: number): unknown {
  if (Array.isArray(value)) return value.map((one) => shortenValue(one, level))
  return typeof value === 'object' && value !== null ? shorten(value as Schema, level) : value
}

/** `control_call` and the resources have the rest. */
const firstSentence = (text: string): string => text.split(/\. (?=[A-Z`])|; /, 1)[0]!

const mapValues = <A, B>(record: Record<string, A>, change: (value: A, name: string) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]))

/** The input of a tool, as clients see it. */
export function inputSchema(tool: Tool): Schema {
  const own = 'call' in tool ? controlInput(tool) : { properties: tool.input, required: tool.required ?? [] }
  const world = 'call' in tool && tool.isOfServer ? {} : { world: WORLD }
  const { required, properties } = own
  return { type: 'object', properties: { ...properties, ...world }, ...(required.length > 0 && { required }) }
}

function controlInput({ call, one, only, fixed = {}, defaults = {} }: ControlTool) {
  const list = inputsOf(call)
  const element = one === undefined ? new Map<string, Input>() : inputsOf(one)
  const all = new Map([...element, ...list])
  // One way to page is enough: `next` of an answer has its argument.
  const isOffered = (name: string) =>
    !(name in fixed) && (only?.includes(name) ?? true) && !(name === 'offset' && all.has('before'))
  const inputs = [...all].filter(([name]) => isOffered(name))
  return {
    properties: Object.fromEntries(
      inputs.map(([name, { schema }]) => [
        name,
        name === 'limit' ? LIMIT : name in defaults ? withDefault(schema, defaults[name]!.means) : schema,
      ]),
    ),
    required: inputs.filter(([name]) => list.get(name)?.isRequired && !(name in defaults)).map(([name]) => name),
  }
}

const withDefault = (schema: Schema, means: string): Schema => ({
  ...schema,
  description: `${schema.description}; default: ${means}`,
})

/**
 * What is checked before the call: the names of the arguments, and those that the server does not get. It checks all others
 * itself, with messages that are made for them.
 */
export function checkedSchema(tool: Tool): Schema {
  const schema = { ...inputSchema(tool), additionalProperties: false }
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
