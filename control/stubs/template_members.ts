import type { TSchema } from '@sinclair/typebox'
import { Item } from '../../domains/items/schemas.ts'
import { Question } from '../../domains/questions/schemas.ts'
import { PublicUser } from '../../domains/users/schemas.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { nearest } from '../../http/errors/suggestions.ts'
import type { StubAnswer } from '../../http/stubs/stubs.ts'
import { CALL_VALUES, visitTags } from '../../http/stubs/templates.ts'

/** The members of a value, each with its own; undefined: any, null: it is no object. */
type Members = { [name: string]: Members } | null | undefined

function membersOf({ type, properties, anyOf }: TSchema): Members {
  if (properties)
    return Object.fromEntries(Object.entries<TSchema>(properties).map(([name, one]) => [name, membersOf(one)]))
  if (anyOf) return membersOf(anyOf.find((one: TSchema) => one.properties) ?? {})
  return type === undefined || [type].flat().some((one) => one === 'object' || one === 'array') ? undefined : null
}

const worldMembers = () => ({ item: membersOf(Item), user: membersOf(PublicUser), question: membersOf(Question) })

/**
 * Throws 400 if a template names a member that its value never has, such as `{{user.nickame}}`. What a call sends may be
 * anything, and names in a section may be members of its value.
 */
export function checkMembers({ body, template }: StubAnswer, path: string): void {
  if (!template) return
  const names = path.split('/').flatMap((part) => (part === '*' ? '*' : (/^\{(.+)\}$/.exec(part)?.[1] ?? [])))
  const texts = Object.fromEntries(CALL_VALUES.map((name) => [name, null]))
  const known: Members = {
    ...texts,
    ...{ query: undefined, headers: undefined, body: undefined, ...worldMembers() },
    params: Object.fromEntries(names.map((name) => [name, null])),
  }
  visitTags(body, ({ name, isInSection }) => {
    if (isInSection) return
    const parts = name.split('.')
    let members: Members = known
    for (const [n, part] of parts.entries()) {
      if (members === undefined) return
      if (members === null || !Object.hasOwn(members, part)) throw badRequest(wrongMember(parts, n, members, names))
      members = members[part]
    }
  })
}

function wrongMember(parts: string[], n: number, members: Members, names: string[]): string {
  const [value, part] = [parts.slice(0, n).join('.'), parts[n]!]
  const problem = `answer.body: {{${parts.join('.')}}}: ${value} `
  if (value === 'path' && names.includes(part)) return `${problem}is a text; the parameter is params.${part}`
  if (!members) return `${problem}has no members`
  const all = Object.keys(members)
  const similar = nearest(part, all)
  const hint = similar ? ` (Did you mean ${similar}?)` : `; it has ${all.length === 0 ? 'none' : all.join(', ')}`
  return `${problem}has no member ${part}${hint}`
}
