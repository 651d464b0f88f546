import { apiError, badParameter, notFound } from '../../http/errors/errors.ts'
import type { RuleId } from '../../http/rules.ts'
import type { ItemRow } from './queries.ts'
import { type Cause, validationRefused } from './validation.ts'

/** Members that the seller cannot change now, and the check that found them. */
interface Unchangeable {
  rule: RuleId
  check: string
  names: readonly string[]
}

/** Throws a 400 with a cause for each of these members, if there are any. */
export function refuseMembers({ id, status, sold_quantity }: ItemRow, found: readonly Unchangeable[]): void {
  const refused = found.filter(({ names }) => names.length > 0)
  const [first] = refused
  if (!first) return
  const causes = refused.flatMap(({ names }) => names).map((name) => notUpdatable(name))
  const message = `Cannot update item ${id} [status:${status}, has_bids:${sold_quantity > 0}]`
  throw validationRefused({ rule: first.rule, check: first.check, field: first.names[0] }, causes, message)
}

const notUpdatable = (name: string): Cause => ({
  ...{ department: 'items', cause_id: 0, type: 'error', code: 'field_not_updatable' },
  ...{ references: [`item.${name}`], message: `${name} is not modifiable.` },
})

/** The price of the listing is changed by a rule. */
export const priceNotModifiable = () =>
  validationRefused({ rule: 'items.change.automation', field: 'price' }, [
    {
      ...{ department: 'items', cause_id: 0, type: 'error', code: 'item.price.not_modifiable' },
      ...{ references: ['item.price'], message: 'The price is not modifiable: it has an active automation.' },
    },
  ])

export const bodyExpected = () => apiError('items.create.body', 400, 'A body is expected. (B)', 'body.invalid')
export const variationNotFound = (id: unknown) =>
  notFound('items.variations.not_found', `Variation with id ${id} not found`, 'variation_id')
export const lastVariation = () =>
  apiError('items.variations.last', 400, 'validation_error', 'The last variation of an item cannot be removed')
export const cannotRelist = (id: string) =>
  apiError('items.relist.closed', 400, 'validation_error', `Item ${id} cannot be relisted`)
export const alreadyRelisted = (id: string) =>
  apiError('items.relist.once', 400, 'validation_error', `Item ${id} was already relisted`)
export const descriptionNotFound = (id: string) =>
  notFound('items.description.not_found', `Description of item ${id} not found`, 'item_id')
export const hasDescription = () => apiError('items.description.once', 400, undefined, 'Item already has a description')
export const dealPriceTooHigh = (price: number) =>
  badParameter('deal_price', `must be below the price of the listing, ${price}`, 'items.promotion.price')
export const pictureNotFound = (id: unknown) =>
  notFound('items.pictures.not_found', `Picture with id ${id} not found`, 'picture_id')
