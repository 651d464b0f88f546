import Sqlite from 'better-sqlite3'
import { is, Param, Placeholder } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { Preparable, Q, Statement, Values } from '../engine.ts'
import type { Changes, StatementSource, Tree } from './changes.ts'

/** A connection, restricted to statements that write nothing. Preparing any other throws SQLITE_READONLY. */
export const readOnly = (connection: Sqlite.Database): StatementSource => ({
  prepare(sql) {
    const statement = connection.prepare<unknown[]>(sql)
    if (!statement.readonly)
      throw new Sqlite.SqliteError('attempt to write where only reading is allowed', 'SQLITE_READONLY')
    return statement
  },
})

interface HandleOptions {
  /** Of the open file; a file that is still written has none. */
  changes?: Changes
  /** Called before each statement runs. */
  onBeforeRun?: () => void
}

/** The query handle of a connection. */
export function createHandle(source: StatementSource, options: HandleOptions = {}): Q {
  // Only tests run queries by drizzle itself.
  const prepare = (sql: string) => {
    const statement = source.prepare(sql)
    if (!statement.readonly) options.changes?.noteAnyWrite()
    return statement
  }
  return {
    db: drizzle({ client: { prepare } as Sqlite.Database }),
    prepare: (query) => createStatement(source, query, options),
    subscribers: [],
  }
}

/**
 * Puts a plus before each value, behind which SQLite does not look. Otherwise it may plan the query by the values, and
 * prepares it again for each run: 10 to 60 µs, for a limit, and for many comparisons beside an ORDER BY or a join.
 */
const withFixedPlan = (sql: string): string => sql.replace(/'[^']*'|\?/g, (part) => (part === '?' ? '+?' : part))

/** Drizzle writes the SQL; the driver runs it and returns its rows unmapped. */
function createStatement(
  source: StatementSource,
  query: Preparable,
  { changes, onBeforeRun }: HandleOptions,
): Statement<unknown> {
  const { writesAt } = query
  const { sql, params } = query.toSQL()
  const text = withFixedPlan(sql)
  const prepared = source.prepare(text)
  const isWrite = !prepared.readonly
  let trees: readonly Tree[] | undefined
  const treesIn = (all: Changes) => {
    trees ??= all.treesOf(source, { sql: text, parameters: params.length, isWrite })
    return trees
  }
  const parameters = params.map((param) => {
    const value = is(param, Param) ? param.value : param
    return is(value, Placeholder) ? { name: value.name as string } : { value }
  })
  const positionIn = (values: Values) => (writesAt === undefined ? undefined : Number(requireValue(values, writesAt)))
  const bind = (values: Values) => {
    onBeforeRun?.()
    if (isWrite) changes?.noteWrite(treesIn(changes), positionIn(values))
    const bound: unknown[] = []
    for (const parameter of parameters)
      bound.push(parameter.name === undefined ? parameter.value : requireValue(values, parameter.name))
    return bound
  }
  return {
    one: async (values = {}) => prepared.get(...bind(values)),
    all: async (values = {}) => prepared.all(...bind(values)),
    run: async (values = {}) => prepared.run(...bind(values)).changes,
    runAll: async (rows) => {
      for (const values of rows) prepared.run(...bind(values))
    },
    isUnchangedSince: (version, before) => changes?.areUnchangedSince(version, treesIn(changes), before) ?? false,
  }
}

function requireValue(values: Values, name: string): unknown {
  const value = values[name]
  if (value === undefined) throw new Error(`no value given for ${name}`)
  return value
}
