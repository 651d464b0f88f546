import { defineCommand, integer, type Output, path, printable, table } from '../../domains/shared/commands.ts'
import { withProgress } from '../../lib/cli/progress.ts'
import type { AnswerOf } from '../../lib/types.ts'
import { queryString } from '../../lib/urls.ts'

type Counts = AnswerOf<'GET /diff'>
type Rows = AnswerOf<'GET /diff/{table}'>

const STATE = 'now, start, SNAPSHOT or world:ID'

export const diffCommand = defineCommand<Counts | Rows>({
  name: 'snapshot diff',
  description: 'Show what differs between two states of the world, or between two worlds',
  args: [
    ['[from]', `${STATE}; default: start, what reset restores`],
    ['[to]', 'in the same form; default: now'],
  ],
  flags: [
    { flags: '--table <name>', description: 'the rows of this table, instead of the number of rows' },
    { flags: '--limit <n>', description: 'rows to show, at most 1000 (default: 50)', parse: integer(0, 1000) },
    { flags: '--offset <n>', description: 'rows to skip', parse: integer(0) },
  ],
  examples: [
    'snapshot diff',
    'snapshot diff before-checkout',
    'snapshot diff before-checkout now --table question',
    'snapshot diff world:2',
  ],
  run: ({ client, args: [from, to], flags: { table, limit, offset } }) => {
    const states = { from, to }
    const call =
      table === undefined
        ? `GET /diff${queryString(states)}`
        : `${path`GET /diff/${table}`}${queryString({ ...states, limit, offset })}`
    return withProgress('diff', () => client.call(call))
  },
  format: (answer) => [
    `${formatState('from', answer.from)}\n${formatState('to', answer.to)}`,
    'tables' in answer ? formatCounts(answer) : formatRows(answer),
  ],
})

const formatState = (label: string, { state, now }: Counts['from']) => `${label.padEnd(4)}  ${printable(state)}  ${now}`

function formatCounts({ tables }: Counts): Output {
  if (tables.length === 0) return 'nothing differs'
  const rows = tables.map(({ table, added, removed, changed }) => [table, added, removed, changed])
  return [table(['table', 'added', 'removed', 'changed'], rows), 'the rows: mercadito snapshot diff … --table NAME']
}

function formatRows({ results, paging: { total, offset } }: Rows): Output {
  if (total === 0) return 'nothing differs'
  const last = offset + results.length
  return [
    ...results.map(formatRow),
    ...(results.length < total ? [`rows ${offset + 1} to ${last} of ${total}; more with --limit and --offset`] : []),
  ]
}

/** A line for the row, and below it one for each column that differs. */
function formatRow({ change, key, before, after }: Rows['results'][number]): string {
  const name = Object.entries(key).map(([column, value]) => `${column} ${printable(value)}`)
  const columns = Object.keys(after ?? before ?? {}).filter((column) => change === 'changed' || !(column in key))
  const width = Math.max(0, ...columns.map(({ length }) => length))
  const values = (column: string) =>
    [before, after].flatMap((side) => (side ? [printable(JSON.stringify(side[column]))] : [])).join(' → ')
  return [
    `${change} ${name.join(', ')}`,
    ...columns.map((column) => `  ${column.padEnd(width)}  ${values(column)}`),
  ].join('\n')
}
