import type { RouteOptions } from 'fastify'
import { nearest } from '../../http/errors/suggestions.ts'
import type { CallBody } from './bodies.ts'
import { type Attempt, otherChange } from './changes.ts'
import { schemaOf } from './ladder.ts'
import { isObject } from './members.ts'

/** The call with an unknown member of its body under the name of a missing one, for each that has a similar name. */
export function renamedMembers({ call, changes }: Attempt, route: RouteOptions): Attempt[] {
  const { properties = {} } = schemaOf(route).body ?? {}
  const sent = namesOf(call.body)
  const missing = Object.keys(properties).filter((name) => !sent.includes(name))
  return sent.flatMap((name) => {
    if (Object.hasOwn(properties, name)) return []
    const meant = nearest(name, missing) ?? (missing.length === 1 ? missing[0] : undefined)
    if (meant === undefined) return []
    const change = { ...otherChange('rename', name, meant), in: 'body', name: meant } as const
    return [{ call: { ...call, body: renamed(call.body, name, meant) }, changes: [...changes, change] }]
  })
}

function namesOf(body: CallBody): string[] {
  if (body.kind === 'form') return Object.keys(body.members)
  return body.kind === 'json' && isObject(body.value) ? Object.keys(body.value) : []
}

function renamed(body: CallBody, from: string, to: string): CallBody {
  const rename = <T>(members: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(members).map(([name, value]) => [name === from ? to : name, value]))
  if (body.kind === 'form') return { kind: 'form', members: rename(body.members) }
  return body.kind === 'json' && isObject(body.value) ? { kind: 'json', value: rename(body.value) } : body
}
