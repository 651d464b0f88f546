import type { Static, TObject } from '@sinclair/typebox'
import type { Q } from '../../../db/engine.ts'
import type { NumberedTable } from '../../../db/ids.ts'
import { insertInto } from '../../../db/rows.ts'
import {
  type ExportContext,
  type ImportContext,
  type ListReader,
  type WorldFileList,
  worldFileList,
} from '../../world_file.ts'
import { STORED, type Stored } from './fields.ts'
import { importIdentified, importNumbered } from './import_elements.ts'
import { rowsById } from './operations.ts'

type Row = Record<string, unknown>
type Id = number | string
type NextId<Element> = (element: Element) => Id | Promise<Id>

interface Steps<Table extends NumberedTable, Element extends TObject> {
  /** Columns that the element does not have, or that replace what follows from its member. */
  complete?(
    context: ImportContext,
    element: Static<Element>,
    place: string,
    id: Id,
  ): Partial<Table['$inferSelect']> | Promise<Partial<Table['$inferSelect']>>
  /** Called after a row is written. */
  added?(
    context: ImportContext,
    row: Table['$inferSelect'],
    element: Static<Element>,
    place: string,
  ): void | Promise<void>
  /** Called after the last element. */
  end?(): Promise<void>
}

interface TableList<Table extends NumberedTable, Element extends TObject, ReadRow extends Table['$inferSelect']>
  extends Pick<WorldFileList<Element>, 'description' | 'maxElements' | 'isOmittedIfEmpty'>,
    Steps<Table, Element> {
  /** Its members are columns; the schemas of fields.ts know how a column stores a member. */
  element: Element
  /** The first id of a table that numbers its rows; else creates the function that returns ids for elements without one. */
  ids: number | ((context: ImportContext) => NextId<Static<Element>>)
  /** Called before the first element; returns steps that share the state of one import. */
  begin?(context: ImportContext, elements: ListReader<Static<Element>>): Promise<Steps<Table, Element>>
  /** Reads the rows, page by page; default: by their ids. */
  rows?(context: ExportContext): AsyncIterable<ReadRow[]>
  /** Members that replace what follows from the column; undefined: an element without the member. */
  present?(row: ReadRow): { [Member in keyof Static<Element>]?: unknown }
  /** Members that rows of other tables decide, by the id of the row; called for each page. */
  related?(q: Q, rows: Table['$inferSelect'][]): Promise<ReadonlyMap<Id, object>>
}

/** How columns store the members of an element. */
export function storageOf({ properties }: TObject) {
  const members = Object.entries(properties).map(
    ([name, schema]) => [name, (schema as { [STORED]?: Stored })[STORED]] as const,
  )
  return {
    /** The columns of an element, without those that `given` has. */
    columnsOf(context: ImportContext, element: Row, place: string, given: Row = {}): Row {
      const columns = members
        .filter(([name]) => !(name in given))
        .map(([name, stored]) => {
          const value = element[name]
          return [name, stored ? stored.toColumn(value, context, `${place}.${name}`) : (value ?? null)]
        })
      return Object.fromEntries(columns)
    },
    /** The element of a row, with the members that `given` has. */
    elementOf: (row: Row, given: Row = {}): Row =>
      Object.fromEntries(
        members.map(([name, stored]) => {
          if (name in given) return [name, given[name]]
          return [name, stored ? stored.toMember(row[name]) : row[name]]
        }),
      ),
  }
}

/** A list of a world file whose elements are the rows of a table that has ids. */
export function tableList<
  Table extends NumberedTable,
  Element extends TObject,
  ReadRow extends Table['$inferSelect'] = Table['$inferSelect'],
>(
  table: Table,
  { ids, begin, rows, present, related, complete, added, end, ...list }: TableList<Table, Element, ReadRow>,
): WorldFileList {
  const insert = insertInto(table)
  const byId = rowsById(table)
  const { columnsOf, elementOf } = storageOf(list.element)

  return worldFileList<TObject>({
    ...list,
    async import(context, elements: ListReader<Row & { id?: never }>) {
      const steps = { complete, added, end, ...(await begin?.(context, elements as ListReader<never>)) }
      async function write(element: Row, place: string, id: Id): Promise<boolean> {
        const given: Row = { id, ...(await steps.complete?.(context, element as Static<Element>, place, id)) }
        const row = { ...columnsOf(context, element, place, given), ...given }
        if (!(await insert(context.q, row as never))) return false
        await steps.added?.(context, row as never, element as Static<Element>, place)
        return true
      }
      if (typeof ids === 'number') await importNumbered(context, elements, { table, firstId: ids }, write)
      else await importIdentified(elements, ids(context) as NextId<Row>, write)
      await steps.end?.()
    },
    async *export(context) {
      for await (const page of rows?.(context) ?? byId(context.q)) {
        const more = await related?.(context.q, page)
        yield page.map((row: Row) => ({
          ...elementOf(row, present?.(row as never)),
          ...more?.get(row.id as Id),
        }))
      }
    },
  })
}
