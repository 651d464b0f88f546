import { type Static, Type } from '@sinclair/typebox'
import { Page } from '../../domains/shared/control_schemas.ts'
import { Instant, Nullable, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { DueGroup } from '../worlds/due.ts'

const StateName = (description: string, options: object) =>
  Type.String({ description, minLength: 1, 'x-message': 'must be the name of a state', ...options })

const STATES =
  '`now`, `start` (what reset restores), `snapshot:NAME` or a snapshot’s name, or `world:ID` (another world as it is now)'

/** The two states that are compared. */
export const States = {
  from: StateName(`First state: ${STATES}`, { default: 'start', examples: ['snapshot:before-checkout'] }),
  to: StateName('Second state, in the same form', { default: 'now', examples: ['now'] }),
}

const ComparedState = (description: string) =>
  ResponseObject(
    {
      state: Type.String({ description: 'As requested', examples: ['start'] }),
      now: Instant('World time in it', '2026-03-02T12:00:00.000Z'),
    },
    { description },
  )
const compared = { from: ComparedState('First state'), to: ComparedState('Second state') }

const TableName = Type.String({ description: 'Name of a table', examples: ['question'] })
const rows = (description: string) => Type.Integer({ description, examples: [1] })
const status = (description: string) => Nullable(Type.String(), { description, examples: ['ANSWERED'] })
const StatusDiff = ResponseObject(
  {
    before: status('Status in the first state; null: the row is new'),
    after: status('Status in the second state; null: the row is gone'),
    count: rows('Rows of which both are so'),
  },
  { title: 'StatusDiff', description: 'How many rows have changed their status in the same way' },
)
export type StatusDiff = Static<typeof StatusDiff>

const TableDiff = ResponseObject(
  {
    table: TableName,
    added: rows('Rows that only the second state has'),
    removed: rows('Rows that only the first state has'),
    changed: rows('Rows with other values in the second state'),
    by_status: Type.Array(StatusDiff, {
      description: 'The rows whose status differs, also new and removed ones; empty for tables without a status',
    }),
  },
  { title: 'TableDiff', description: 'How many rows of a table differ' },
)
export type TableDiff = Static<typeof TableDiff>

export const Diff = ResponseObject(
  {
    ...compared,
    tables: Type.Array(TableDiff, { description: 'The tables that differ' }),
    passed: Type.Array(DueGroup, {
      description:
        'What only the time between both has brought about, by the rows of the second state: what has expired without a change of its row. Empty if the second state is not later',
    }),
  },
  { title: 'Diff', description: 'How two states differ' },
)

/** Names and values of columns. */
const Values = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { description, examples: [{ status: 'ANSWERED' }] })

const RowDiff = ResponseObject(
  {
    change: OneOf(['added', 'removed', 'changed'], { description: 'What is different' }),
    key: Values('Columns that identify the row'),
    before: Nullable(Values('Columns in the first state; of a changed row, those that differ'), {
      description: 'Columns in the first state; of a changed row, those that differ. Null for an added row',
    }),
    after: Nullable(Values('Columns in the second state; of a changed row, those that differ'), {
      description: 'Columns in the second state; of a changed row, those that differ. Null for a removed row',
    }),
  },
  { title: 'RowDiff', description: 'A row that differs' },
)
export type RowDiff = Static<typeof RowDiff>

export const RowDiffPage = ResponseObject(
  { ...compared, ...Page(RowDiff, 'Rows that differ, by key').properties },
  { title: 'RowDiffPage', description: 'The rows of a table that differ' },
)
