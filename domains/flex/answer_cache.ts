import { LRUCache } from 'lru-cache'
import type { UserRow } from '../users/queries.ts'
import { parseQueryBody } from './bodies.ts'
import { configurationOf, olderStatus } from './present.ts'
import type { SubscriptionRow } from './queries.ts'

// The answer to a configuration query depends only on the request, on the rows that it reads and on the remaining days
// of training. A hit therefore checks rights and reads the rows again, and only skips executing the query: a cached
// answer is never outdated, and nothing has to invalidate it.

/** The rows that a configuration is made of. */
export interface Source {
  row: SubscriptionRow
  user: UserRow
}

/** Reads the source for a user and service; throws the error for a caller who may not see it. */
type LoadSource = (user_id: number, service_id: number) => Promise<Source>

interface CacheEntry {
  sources: Source[]
  text: string
}

const MAX_CACHED_ANSWERS = 200
/** Characters of a request and of its answer: the cache takes less than 10 MB. */
const MAX_CACHED_LENGTH = 16 * 1024
/** By the body of the request as sent. */
const answerCache = new LRUCache<string, CacheEntry>({ max: MAX_CACHED_ANSWERS })

/** The answer to the query in a body, as JSON, at world time `now`. Throws the errors of body and query. */
export async function answerQuery(body: unknown, now: number, load: LoadSource): Promise<string> {
  const hit = typeof body === 'string' ? answerCache.get(body) : undefined
  if (hit && (await isStillValid(hit, load))) return hit.text

  const parsed = parseQueryBody(body)
  // The graphql package is loaded by the first query: it would make every start slower.
  const { query } = await import('./graphql.ts')
  const sources: Source[] = []
  const data = await query(parsed, async (user_id, service_id) => {
    const source = await load(user_id, service_id)
    sources.push(source)
    return configurationOf(source.row, source.user, now)
  })
  const text = JSON.stringify(data)
  if (typeof body === 'string' && isShort(body) && isShort(text) && !sources.some(isInTraining))
    answerCache.set(body, { sources, text })
  return text
}

const isShort = (text: string): boolean => text.length <= MAX_CACHED_LENGTH

const isInTraining = ({ row }: Source): boolean => row.training_days !== null && olderStatus(row.status) === 'pending'

/**
 * Whether the rows of an answer are unchanged. Throws as executing the query would, if the caller may no longer see them:
 * the sources are in the order of the fields.
 */
async function isStillValid({ sources }: CacheEntry, load: LoadSource): Promise<boolean> {
  for (const { row, user } of sources) {
    const current = await load(row.user_id, row.service_id)
    if (!hasSameColumns(row, current.row) || !hasSameColumns(user, current.user)) return false
  }
  return true
}

function hasSameColumns<Row extends object>(a: Row, b: Row): boolean {
  for (const column in a) if (a[column] !== b[column]) return false
  return true
}
