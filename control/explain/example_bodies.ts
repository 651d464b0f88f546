import type { RouteOptions } from 'fastify'
import type { CallBody } from './bodies.ts'
import type { CallModel } from './call_model.ts'
import { type Schema, schemaOf } from './ladder.ts'
import { isObject } from './members.ts'
import type { Session } from './session.ts'

/** A body that a route accepts, with values that exist in the world. */
export async function exampleBody(session: Session, route: RouteOptions, call: CallModel): Promise<CallBody> {
  const { body: schema } = schemaOf(route)
  if (!schema) return { kind: 'none' }
  const { properties = {}, required = [], examples } = schema
  const example = isObject(examples?.[0]) ? examples[0] : {}
  const value: Record<string, unknown> = {}
  const values = route.config?.checks?.values ?? {}
  // The schemas of OAuth declare all as optional.
  const useful = required.length > 0 ? [] : Object.keys(values).filter((name) => properties[name])
  for (const name of new Set([...required, ...Object.keys(example), ...useful])) {
    const context = session.contextOf({ ...call, body: { kind: 'json', value } })
    const [found] = (await values[name]?.(context)) ?? []
    value[name] = found ?? example[name] ?? exampleValue(properties[name] ?? {})
  }
  return { kind: 'json', value }
}

/** A value that a schema shows; undefined if it shows none. */
export const exampleValue = ({ examples, enum: values, default: byDefault, minimum }: Schema): unknown =>
  examples?.[0] ?? byDefault ?? values?.[0] ?? minimum

/** Bodies that a wrong text may have meant, the nearest first. */
export function repairedBodies(body: CallBody): CallBody[] {
  if (body.kind === 'form') return [{ kind: 'json', value: { ...body.members } }]
  if (body.kind === 'json') {
    const { value } = body
    if (typeof value === 'string') return parsed(value)
    return Array.isArray(value) && isObject(value[0]) ? [{ kind: 'json', value: value[0] }] : []
  }
  return body.kind === 'text' ? REPAIRS.flatMap((repair) => parsed(repair(body.text))) : []
}

/** What people write in place of JSON. */
const REPAIRS: ((text: string) => string)[] = [
  (text) => text.replace(/,\s*([}\]])/g, '$1'),
  (text) => text.replaceAll("'", '"'),
  (text) => text.replace(/([{,]\s*)([A-Za-z_]\w*)\s*:/g, '$1"$2":'),
  (text) => `${text}}`,
  (text) => `${text}"}`,
  (text) =>
    text
      .replaceAll("'", '"')
      .replace(/([{,]\s*)([A-Za-z_]\w*)\s*:/g, '$1"$2":')
      .replace(/,\s*([}\]])/g, '$1'),
]

function parsed(text: string): CallBody[] {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? [{ kind: 'json', value }] : []
  } catch {
    return []
  }
}
