import { badRequest } from '../../../plugins/errors.ts'
import type { Laying } from './loading.ts'
import type { Element } from './schema.ts'

/**
 * Lays a list out, what has an id of its own first: what has none gets one that is free. `lay` answers whether the id
 * was.
 */
export async function identified<
  N extends 'users' | 'items' | 'questions' | 'loans' | 'flex_subscriptions' | 'shipments' | 'faults',
>(
  laying: Laying,
  list: N,
  next: (element: Element<N>) => Promise<NonNullable<Element<N>['id']>>,
  lay: (element: Element<N>, place: string, id: NonNullable<Element<N>['id']>) => Promise<boolean>,
): Promise<void> {
  let anonymous = 0
  await laying.each(list, async (element, place) => {
    const id = element.id as NonNullable<Element<N>['id']> | undefined
    if (id === undefined) anonymous++
    else if (!(await lay(element, place, id))) throw badRequest(`${place}.id: stands twice`)
  })
  if (anonymous === 0) return
  await laying.each(list, async (element, place) => {
    if (element.id !== undefined) return
    while (!(await lay(element, place, await next(element))));
  })
}

/** Numbers from one on, those before it being given. */
export const countingFrom = (first: number) => {
  let last = first - 1
  return { next: async () => ++last, last: () => last }
}
