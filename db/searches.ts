import { asc, desc, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { $, type Database, type Statement, yieldToEventLoop } from './engine.ts'

/** Rows that a search for a text reads at most; more than one part takes several turns of the event loop. */
export const MAX_SEARCHED_ROWS = 100_000
const ROWS_PER_PART = 5000

/** Letters that a search treats as the same, besides upper and lower case. */
const ACCENTED = ['aáàâãä', 'eéèêë', 'iíì', 'oóòôõö', 'uúùü', 'nñ', 'cç']

/** The GLOB pattern of texts that contain `text`, in any letter case, with or without accents. */
const containsPattern = (text: string): string => `*${[...text].map(characterPattern).join('')}*`

/** Whether another text contains `text`, compared in the same way. */
export function containsText(text: string): (other: string) => boolean {
  const folded = fold(text)
  return (other) => fold(other).includes(folded)
}

const FOLDED = new Map(ACCENTED.flatMap((same) => [...same].map((letter) => [letter, same[0]!])))
const fold = (text: string): string => [...text.toLowerCase()].map((letter) => FOLDED.get(letter) ?? letter).join('')

function characterPattern(character: string): string {
  const lower = character.toLowerCase()
  const letters = ACCENTED.find((same) => same.includes(lower)) ?? lower
  const variants = [...new Set(letters + letters.toUpperCase())].join('')
  return variants.length === 1 && !'*?['.includes(variants) ? variants : `[${variants}]`
}

/** The order of a list: by a column, or an expression of it, whose values are unique. */
export interface ListKey<Key = SQLiteColumn | SQL> {
  key: Key
  direction: 'asc' | 'desc'
}

export const orderBy = ({ key, direction }: ListKey): SQL => (direction === 'asc' ? asc(key) : desc(key))

/** The condition that a row comes after the one whose key is `cursor`. */
export const isAfterCursor = ({ key, direction }: ListKey): SQL =>
  direction === 'asc' ? sql`${key} > ${$('cursor')}` : sql`${key} < ${$('cursor')}`

interface Part {
  /** Rows that were read. */
  n: number
  /** JSON: the keys of those that match, in the order of the list. */
  keys: string
  last: number | string | null
}

/** Builds the query of the next `rows` rows of a list, with the keys of those of which a text matches `pattern`. */
export function selectPart(
  db: Database,
  { table, where, texts, ...order }: ListKey & { table: SQLiteTable; where: SQL | undefined; texts: SQL[] },
) {
  const isFound = sql.join(
    texts.map((text) => sql`${text} GLOB ${$('pattern')}`),
    sql` OR `,
  )
  const rows = db
    .select({ key: sql`${order.key}`.as('key'), is_found: isFound.as('is_found') })
    .from(table)
    .where(where)
    .orderBy(orderBy(order))
    .limit($('rows'))
    .as('part')
  const direction = sql.raw(order.direction)
  return db
    .select({
      n: sql<number>`count(*)`.as('n'),
      keys: sql<string>`json_group_array(key ORDER BY key ${direction}) FILTER (WHERE is_found)`.as('keys'),
      last: sql<number | string | null>`${sql.raw(order.direction === 'asc' ? 'max' : 'min')}(key)`.as('last'),
    })
    .from(rows)
}

interface Found<Key> {
  /** In the order of the list. */
  keys: Key[]
  /** The key of the last row that was read; null if the list was read to its end. */
  next: Key | null
}

/**
 * Searches a list for a text, from behind the row whose key is `cursor`; undefined: from its beginning. `statementOf`
 * prepares the query of `selectPart`, with the condition of a cursor or without; `confirm` removes keys that it finds.
 */
export async function searchParts<Key extends number | string>(
  statementOf: (hasCursor: boolean) => Statement<Part>,
  { text, cursor, values }: { text: string; cursor: Key | undefined; values: object },
  confirm: (keys: Key[]) => Promise<Key[]> | Key[] = (keys) => keys,
): Promise<Found<Key>> {
  const pattern = containsPattern(text)
  const keys: Key[] = []
  let last = cursor
  for (let read = 0; read < MAX_SEARCHED_ROWS; read += ROWS_PER_PART) {
    const statement = statementOf(last !== undefined)
    const part = (await statement.one({ ...values, pattern, cursor: last, rows: ROWS_PER_PART }))!
    keys.push(...(await confirm(JSON.parse(part.keys))))
    if (part.n < ROWS_PER_PART) return { keys, next: null }
    last = part.last as Key
    await yieldToEventLoop()
  }
  return { keys, next: last! }
}
