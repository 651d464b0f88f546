import { type ApiError, apiError } from '../../http/errors/errors.ts'
import { validatorCompiler } from '../../http/errors/validation.ts'
import { CAUSES, type CauseName, type CauseRow, type Facts } from './causes.ts'
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
export function validationRefused(
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
