import { badRequest } from '../../http/errors.ts'
import type { ImportContext } from './import.ts'
import type { Element } from './schemas.ts'

/**
 * Lays a list out, what has an id of its own first: what has none gets one that is free. `lay` answers whether the id
 * was.
 */
export async function importIdentified<
  N extends 'users' | 'items' | 'questions' | 'loans' | 'flex_subscriptions' | 'shipments' | 'faults',
>(
  context: ImportContext,
  list: N,
  next: (element: Element<N>) => Promise<NonNullable<Element<N>['id']>>,
  importElement: (element: Element<N>, place: string, id: NonNullable<Element<N>['id']>) => Promise<boolean>,
): Promise<void> {
  let withoutId = 0
  await context.each(list, async (element, place) => {
    const id = element.id as NonNullable<Element<N>['id']> | undefined
    if (id === undefined) withoutId++
    else if (!(await importElement(element, place, id))) throw badRequest(`${place}.id: stands twice`)
  })
  if (withoutId === 0) return
  await context.each(list, async (element, place) => {
    if (element.id !== undefined) return
    while (!(await importElement(element, place, await next(element))));
  })
}

/** Numbers from one on, those before it being given. */
export const createCounter = (first: number) => {
  let last = first - 1
  return { next: async () => ++last, last: () => last }
}
