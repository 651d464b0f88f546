import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { changedColumns, keyColumns, type Row, type RowChange, rowChanges } from '../../db/row_changes.ts'
import type { TableDescriptor, TimeUnit } from '../../db/tables.ts'
import { TABLES } from '../../domains/index.ts'
import { controlCall, controlConfig, PagingQuery, viewable } from '../../domains/shared/control_schemas.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import { notFound } from '../../http/errors/control_errors.ts'
import { REDACTED } from '../../http/journal/redaction.ts'
import { SECTIONS } from '../world_file/sections.ts'
import { groupDue } from '../worlds/due.ts'
import { Diff, type RowDiff, RowDiffPage, States, type StatusDiff, type TableDiff } from './schemas.ts'
import { createComparisons, type OpenState, type StateSources } from './states.ts'

const config = controlConfig('Diff', 'What differs between two states')

const params = Type.Object({ table: Type.String({ description: 'Name of a table', examples: ['question'] }) })

const diff: FastifyPluginAsyncTypebox<StateSources> = async (app, sources) => {
  const withStates = createComparisons(sources)

  app.get(
    '/diff',
    controlCall(viewable(config), {
      summary: 'Count the rows that differ between two states',
      description:
        'Compares copies of two states of the world, or of two worlds, table by table. Tables of sums and counts are left out: they follow from the others. Large worlds take seconds; other requests are served meanwhile.',
      querystring: Type.Object(States),
      answer: Diff,
    }),
    async ({ world, query }) =>
      withStates(world, query, async (from, to) => {
        const tables: TableDiff[] = []
        for (const [name, { table }] of COMPARED_TABLES) {
          const counts = { table: name, added: 0, removed: 0, changed: 0 }
          const statuses = new Map<string, StatusDiff>()
          for await (const { change, before, after } of rowChanges(table, from.q, to.q)) {
            counts[change]++
            countStatus(statuses, before, after)
          }
          const by_status = [...statuses.values()]
          if (counts.added + counts.removed + counts.changed > 0) tables.push({ ...counts, by_status })
        }
        const passed = await groupDue({ read: to.q, switches: to.switches }, { after: from.now, until: to.now })
        // Attempts have rows of their own.
        return { ...presentStates(from, to), tables, passed: passed.filter(({ kind }) => kind !== 'attempt') }
      }),
  )

  app.get(
    '/diff/:table',
    controlCall(viewable(config), {
      summary: 'List the rows of a table that differ between two states',
      description: 'By key. Times are ISO 8601 instants; secrets are replaced by `***`.',
      params,
      querystring: Type.Object({ ...States, ...PagingQuery }),
      answer: RowDiffPage,
    }),
    async ({ world, params, query }) => {
      const { limit, offset } = query
      const descriptor = COMPARED_TABLES.get(params.table)
      if (!descriptor) throw notFound(`Table ${params.table} not found: ${[...COMPARED_TABLES.keys()].join(', ')}`)
      return withStates(world, query, async (from, to) => {
        const results: RowDiff[] = []
        let total = 0
        for await (const change of rowChanges(descriptor.table, from.q, to.q)) {
          if (total >= offset && results.length < limit) results.push(presentChange(descriptor, change, from, to))
          total++
        }
        return { ...presentStates(from, to), paging: { total, limit, offset }, results }
      })
    },
  )
}
export default diff

/** Counts a row whose status differs; many tables have none. */
function countStatus(statuses: Map<string, StatusDiff>, ...sides: [before: Row | null, after: Row | null]): void {
  const [before, after] = sides.map((row) => (row?.status as string | undefined) ?? null)
  if (before === after) return
  const key = `${before} ${after}`
  const { count } = statuses.get(key) ?? { count: 0 }
  statuses.set(key, { before: before!, after: after!, count: count + 1 })
}

const isDerived = (name: string): boolean => SECTIONS.some(({ tables }) => tables[name] === 'derived')

/** The tables that are compared, by name. Tables of sums and counts are not: they follow from the others. */
const COMPARED_TABLES: ReadonlyMap<string, TableDescriptor> = new Map(
  TABLES.filter(({ name }) => !isDerived(name)).map((table) => [table.name, table]),
)

const presentStates = (from: OpenState, to: OpenState) => ({
  from: { state: from.name, now: utcMillis(from.now) },
  to: { state: to.name, now: utcMillis(to.now) },
})

/** Ms of a stored time. */
const toMs: Record<TimeUnit, (value: number, origin: number) => number> = {
  ms: (value) => value,
  real: (value) => value,
  'since origin': (value, origin) => origin + value,
}

/** A row that differs, with readable times and without secrets. */
function presentChange(
  descriptor: TableDescriptor,
  { change, before, after }: RowChange,
  from: Pick<OpenState, 'origin'>,
  to: Pick<OpenState, 'origin'>,
): RowDiff {
  const { table } = descriptor
  const key = keyColumns(table).map(({ name }) => name)
  const shown = change === 'changed' ? changedColumns(before, after) : undefined
  return {
    change,
    key: before ? presentRow(descriptor, before, from, key) : presentRow(descriptor, after!, to, key),
    before: before && presentRow(descriptor, before, from, shown),
    after: after && presentRow(descriptor, after, to, shown),
  }
}

function presentRow(
  { times, secrets }: TableDescriptor,
  row: Row,
  { origin }: Pick<OpenState, 'origin'>,
  columns = Object.keys(row),
): Record<string, unknown> {
  const present = (name: string) => {
    const value = row[name]!
    if (value === null) return null
    if (secrets.includes(name)) return REDACTED
    const unit = times[name]
    return unit ? utcMillis(toMs[unit](Number(value), origin)) : value
  }
  return Object.fromEntries(columns.map((name) => [name, present(name)]))
}
