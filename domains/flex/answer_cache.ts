import type { UserRow } from '../users/queries.ts'
import { parseQueryBody } from './bodies.ts'
import { LruCache } from './lru_cache.ts'
import { configurationOf } from './present.ts'
import type { SubscriptionRow } from './queries.ts'

// An answer to the configuration query depends on the request and on the rows that it reads, and on nothing else but
// the days of training that are left. So an answer given before is given again where both are the same: rights are
// checked and rows are read each time, only the executor is spared. Nothing can be stale, and nothing has to be told
// of a change.

/** What a configuration is made of. */
export interface Source {
  row: SubscriptionRow
  user: UserRow
}

/** Reads the source for a user and service; throws the refusal where it may not be seen. */
export type LoadSource = (user_id: number, service_id: number) => Promise<Source>

interface CacheEntry {
  sources: Source[]
  text: string
}

const MAX_CACHED_ANSWERS = 200
/** Characters of a request or an answer that is kept: all of them take less than 10 MB. */
const MAX_CACHED_LENGTH = 16 * 1024
/** By the body of the request, to the letter. */
const answerCache = new LruCache<CacheEntry>(MAX_CACHED_ANSWERS)

/**
 * The answer to the query in a body as JSON text, at an instant of the world. Throws the refusals of body and query.
 */
export async function answerQuery(body: unknown, now: number, load: LoadSource): Promise<string> {
  const hit = answerCache.get(body)
  if (hit && (await isStillValid(hit, load))) return hit.text

  const parsed = parseQueryBody(body)
  // The executor comes with the first query that needs it.
  const { query } = await import('./graphql.ts')
  const sources: Source[] = []
  const data = await query(parsed, async (user_id, service_id) => {
    const source = await load(user_id, service_id)
    sources.push(source)
    return configurationOf(source.row, source.user, now)
  })
  const text = JSON.stringify(data)
  const isShort = typeof body === 'string' && body.length <= MAX_CACHED_LENGTH && text.length <= MAX_CACHED_LENGTH
  if (isShort && !sources.some(isInTraining)) answerCache.set(body, { sources, text })
  return text
}

const isInTraining = ({ row }: Source): boolean => row.training_days !== null && row.status === 'pending'

/** Whether all that an answer was made of is still so, and may still be seen. */
async function isStillValid({ sources }: CacheEntry, load: LoadSource): Promise<boolean> {
  for (const { row, user } of sources) {
    let found: Source
    try {
      found = await load(row.user_id, row.service_id)
    } catch {
      // Which of several refusals is told is for the executor to say.
      return false
    }
    if (!hasSameColumns(row, found.row) || !hasSameColumns(user, found.user)) return false
  }
  return true
}

function hasSameColumns<Row extends object>(one: Row, other: Row): boolean {
  for (const column in one) if (one[column] !== other[column]) return false
  return true
}
