import type { NumberedTable } from '../../../db/ids.ts'
import { badRequest } from '../../../http/errors/control_errors.ts'
import type { ImportContext, ListReader } from '../../world_file.ts'
import { counterOf, setLastRowId } from './operations.ts'

/** Writes an element; returns false if its id exists. */
type Insert<Element, Id> = (element: Element, place: string, id: Id) => Promise<boolean>

/** Imports the elements that have an id first; the others then get the next free ones. */
export async function importIdentified<Id extends number | string, Element extends { id?: Id }>(
  list: ListReader<Element>,
  nextId: (element: Element) => Id | Promise<Id>,
  insert: Insert<Element, Id>,
): Promise<void> {
  let withoutId = 0
  await list.each(async (element, place) => {
    if (element.id === undefined) withoutId++
    else if (!(await insert(element, place, element.id))) throw duplicate(`${place}.id`)
  })
  if (withoutId === 0) return
  await list.each(async (element, place) => {
    if (element.id !== undefined) return
    while (!(await insert(element, place, await nextId(element))));
  })
}

/** The same for a table that numbers its rows, from `firstId` on. */
export async function importNumbered<Element extends { id?: number }>(
  { q, counters }: ImportContext,
  list: ListReader<Element>,
  { table, firstId }: { table: NumberedTable; firstId: number },
  insert: Insert<Element, number>,
): Promise<void> {
  const counter = counters[counterOf(table)]
  let last = counter ?? firstId - 1
  await importIdentified(list, () => ++last, insert)
  await setLastRowId(q, table, counter ?? last)
}

export const duplicate = (place: string) => badRequest(`${place}: is a duplicate`)

/** Calls `read`; prefixes the message of its API errors with the place of the element. */
export function prefixErrors<T>(place: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw withPlace(place, error as Error)
  }
}

/** The same for a promise. */
export const prefixRejection = <T>(place: string, reading: Promise<T>): Promise<T> =>
  reading.catch((error) => {
    throw withPlace(place, error)
  })

const withPlace = (place: string, error: Error): Error =>
  'error' in error ? badRequest(`${place}.${error.message}`) : error
