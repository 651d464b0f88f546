import type { Static, TObject } from '@sinclair/typebox'
import type { Q } from '../../../db/engine.ts'
import type { NumberedTable } from '../../../db/ids.ts'
import { insertInto } from '../../../db/rows.ts'
import { type ImportContext, type ListReader, type WorldFileList, worldFileList } from '../../world_file.ts'
import { STORED, type Stored } from './fields.ts'
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
  const members = Object.entries(list.element.properties).map(
    ([name, schema]) => [name, (schema as { [STORED]?: Stored })[STORED]] as const,
  )

  async function write(context: ImportContext, element: Row, place: string, id: Id): Promise<boolean> {
    const row: Row = { id, ...(await complete?.(context, element as Static<Element>, place, id)) }
    for (const [name, stored] of members)
      if (!(name in row))
        row[name] = stored ? stored.toColumn(element[name], context, `${place}.${name}`) : element[name]
    if (!(await insert(context.q, row as never))) return false
    await added?.(context, row as never, element as Static<Element>, place)
    return true
  }

  function toElement(row: Row): object {
    const replaced: Row = present?.(row as never) ?? {}
    const memberOf = (name: string, stored: Stored | undefined) => (stored ? stored.toMember(row[name]) : row[name])
    return Object.fromEntries(
      members.map(([name, stored]) => [name, name in replaced ? replaced[name] : memberOf(name, stored)]),
    )
  }

  return worldFileList<TObject>({
    ...list,
    import(context, elements: ListReader<Row & { id?: never }>) {
      const writeAt = (element: Row, place: string, id: Id) => write(context, element, place, id)
      return typeof ids === 'number'
        ? importNumbered(context, elements, table, ids, writeAt)
        : importIdentified(elements, ids(context) as NextId<Row>, writeAt)
    },
    async *export({ q }) {
      for await (const rows of allRows(q)) {
        const more = await related?.(q, rows)
        yield rows.map((row) => ({ ...toElement(row), ...more?.get(row.id) }))
      }
    },
  })
}
