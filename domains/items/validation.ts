import { type ApiError, apiError, badParameter, notFound } from '../../http/errors/errors.ts'
import { validatorCompiler } from '../../http/errors/validation.ts'
import type { RuleId } from '../../http/rules.ts'
import { CAUSES, type CauseName, type CauseRow, type Facts } from './causes.ts'
import type { ItemRow } from './queries.ts'
import type { SentListing } from './sent_listing.ts'
import { knownMembers, NewListing } from './write_schemas.ts'

/** One thing that is wrong with a listing, or that the marketplace would rather have. */
export interface Cause {
  department: string
  cause_id: number
  type: 'error' | 'warning'
  code: string
  references: string[]
  message: string
}

const ROWS = Object.entries(CAUSES) as [CauseName, CauseRow][]

/** The warnings about a listing. Throws a 400 with all causes if there is an error. `isNew`: it is not a change. */
export function checkListing(listing: SentListing, facts: Facts, isNew: boolean): Cause[] {
  const found = ROWS.filter(([, row]) => isNew || !row.isOfNew).flatMap(([check, row]) =>
    row.find(listing, facts).map(([references, message]) => ({ check, row, references, message })),
  )
  const causes: Cause[] = found.map(
    ({ row: { department = 'items', cause_id, type = 'error' as const, code }, references, message }) => ({
      department,
      cause_id,
      type,
      code,
      references: [...references],
      message,
    }),
  )
  const first = found.find(({ row }) => row.type !== 'warning')
  if (first) throw validationRefused({ rule: first.row.rule, check: first.check, field: first.row.field }, causes)
  return causes
}

/** An error with causes; the message is that of all of them. */
function validationRefused(
  violation: ApiError['violation'],
  causes: readonly Cause[],
  message = 'Validation error',
): ApiError {
  const error = apiError(violation, 400, 'validation_error', message)
  error.causes = causes
  return error
}

const validate = validatorCompiler({ schema: NewListing } as never) as (
  value: unknown,
) => true | { error: { instancePath: string }[] }

/** A listing as sent; members of a wrong type are left out and named. */
export function readListing(body: Record<string, unknown>): SentListing {
  const members = Object.fromEntries(
    Object.entries(body).filter(([name]) => Object.hasOwn(NewListing.properties, name)),
  )
  const wrong: string[] = []
  for (let result = validate(members); result !== true; result = validate(members)) {
    const name = result.error[0]!.instancePath.split('/')[1]!
    delete members[name]
    wrong.push(name)
  }
  return { ...knownMembers(NewListing, members), wrong: wrong.sort() }
}

// Errors of calls about listings.

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
