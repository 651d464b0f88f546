import type { Static, TObject } from '@sinclair/typebox'
import type { Q } from '../../../db/engine.ts'
import type { NumberedTable } from '../../../db/ids.ts'
import { insertInto } from '../../../db/rows.ts'
import { type ImportContext, type ListReader, type WorldFileList, worldFileList } from '../../world_file.ts'
import { columnsBy } from './fields.ts'
import { importIdentified, importNumbered } from './import_elements.ts'
import { rowsById } from './operations.ts'

type Row = Record<string, unknown>
type Id = number | string
type NextId<Element> = (element: Element) => Id | Promise<Id>

interface TableList<Table extends NumberedTable, Element extends TObject>
  extends Pick<WorldFileList<Element>, 'description' | 'maxElements' | 'isOmittedIfEmpty'> {
  /** Its members are columns; the schemas of fields.ts know how a column stores a member. */
  element: Element
  /** The first id of a table that numbers its rows; else creates the function that returns ids for elements without one. */
  ids: number | ((context: ImportContext) => NextId<Static<Element>>)
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
  /** Reads the rows, page by page; default: by their ids. */
  rows?(q: Q): AsyncIterable<Table['$inferSelect'][]>
  /** Members that replace what follows from the column; undefined: an element without the member. */
  present?(row: Table['$inferSelect']): { [Member in keyof Static<Element>]?: unknown }
  /** Members that rows of other tables decide, by the id of the row; called for each page. */
  related?(q: Q, rows: Table['$inferSelect'][]): Promise<ReadonlyMap<Id, object>>
}

/** A list of a world file whose elements are the rows of a table that has ids. */
export function tableList<Table extends NumberedTable, Element extends TObject>(
  table: Table,
  { ids, complete, added, rows, present, related, ...list }: TableList<Table, Element>,
): WorldFileList {
  const insert = insertInto(table)
  const allRows = rows ?? rowsById(table)
  const columns = columnsBy(list.element)

  async function write(context: ImportContext, element: Row, place: string, id: Id): Promise<boolean> {
    const replaced = await complete?.(context, element as Static<Element>, place, id)
    const row: Row = { ...columns.toRow(element, context, place, replaced), id }
    if (!(await insert(context.q, row as never))) return false
    await added?.(context, row as never, element as Static<Element>, place)
    return true
  }

  async function* toElements(q: Q): AsyncGenerator<object[]> {
    for await (const rows of allRows(q)) {
      const others = await related?.(q, rows)
      yield rows.map((row) => columns.toElement(row, { ...present?.(row), ...others?.get((row as { id: Id }).id) }))
    }
  }

  return worldFileList<TObject>({
    ...list,
    import(context, elements: ListReader<Row & { id?: never }>) {
      const writeAt = (element: Row, place: string, id: Id) => write(context, element, place, id)
      return typeof ids === 'number'
        ? importNumbered(context, elements, table, ids, writeAt)
        : importIdentified(elements, ids(context) as NextId<Row>, writeAt)
    },
    export: ({ q }) => toElements(q),
  })
}
