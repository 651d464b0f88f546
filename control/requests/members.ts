import type { Entry } from '../../http/journal/journal_entry.ts'
import { redactedBody, redactedPath, redactedQuery } from './schemas.ts'

/** The value that `path`, `path.2`, `user_id`, `query.item` or `body.question_id` selects; undefined if there is none. */
export function memberOfCall(entry: Entry, name: string): unknown {
  const [place, ...rest] = name.split('.')
  if (place === 'user_id') return entry.user_id ?? undefined
  if (place === 'path') return partOfPath(redactedPath(entry), name)
  const member = rest.join('.')
  if (place === 'query') return memberOf(redactedQuery(entry), member)
  return rest.reduce(memberOf, redactedBody(entry))
}

/** The whole path, or with `path.N` its Nth part, from 1. */
export function partOfPath(path: string, name: string): string | undefined {
  const n = name.split('.')[1]
  return n === undefined ? path : path.split('/')[Number(n)]
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
