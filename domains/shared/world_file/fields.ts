import { type TSchema, Type } from '@sinclair/typebox'
import type { ImportContext } from '../../world_file.ts'
import { utcOrNull } from '../instants.ts'
import { Bool, INSTANT_MESSAGE, Instant, MAX_ID, Nullable } from '../schemas.ts'
import { Text as TextOf } from '../texts.ts'

// Members of the elements of world files.

/** A schema's key for how the column of its member stores the value, where it is not stored as it is. */
export const STORED = Symbol('stored')
export interface Stored {
  /** `place`: that of the member, such as `items[3].price`. */
  // biome-ignore lint/suspicious/noExplicitAny: each kind of member has its own type
  toColumn(value: any, context: ImportContext, place: string): unknown
  // biome-ignore lint/suspicious/noExplicitAny: the same
  toMember(value: any): unknown
}

const FLAG: Stored = { toColumn: (value) => (value ? 1 : 0), toMember: (value) => value === 1 }
const INSTANT: Stored = {
  toColumn: (text, context, place) => context.instantOf(place, text),
  toMember: utcOrNull,
}
const USER: Stored = { toColumn: (ref, { users }, place) => users.resolve(place, ref), toMember: (id) => id }
const JSON_TEXT: Stored = { toColumn: (value) => JSON.stringify(value), toMember: JSON.parse }
/** The same of a value that may be null. */
const orNull = ({ toColumn, toMember }: Stored): Stored => ({
  toColumn: (value, context, place) => (value == null ? null : toColumn(value, context, place)),
  toMember: (value) => (value === null ? null : toMember(value)),
})
export const FLAG_OR_NULL = orNull(FLAG)
export const INSTANT_OR_NULL = orNull(INSTANT)
export const JSON_OR_NULL = orNull(JSON_TEXT)

/** A member whose column has its JSON. */
export const asJson = <T extends object>(schema: T): T => ({ ...schema, [STORED]: JSON_TEXT })

export const Text = (
  description: string,
  maxLength: number,
  { mayBeBlank = false, ...options }: { mayBeBlank?: boolean; default?: string } = {},
) => ({ ...TextOf(description, maxLength, { mayBeBlank }), ...options })

/** An optional member that is of a schema, whose description it has, or null. */
export const OrNull = <T extends TSchema>(schema: T, options: object = {}) =>
  Type.Optional(Nullable(schema, { description: schema.description, default: null, ...options }))

export const TextOrNull = (description: string, maxLength: number) =>
  OrNull(Text(description, maxLength), { 'x-message': 'must be a string, or null' })

/** A list within an element. `noun`: what the list has, for its message. */
export const ListOf = <T extends TSchema>(element: T, noun: string, maxItems: number, options: object) =>
  Type.Array(element, { maxItems, 'x-message': `must be an array of at most ${maxItems} ${noun}`, ...options })

export const Int = (description: string, minimum = 0, maximum = MAX_ID, options: object = {}) =>
  Type.Integer({
    minimum,
    maximum,
    description,
    'x-message': `must be an integer from ${minimum} to ${maximum === MAX_ID ? '2^53 − 1' : maximum}`,
    ...options,
  })
export const INTEGER_OR_NULL = { 'x-message': 'must be an integer, or null' }
export const IntOrNull = (description: string) => OrNull(Int(description), INTEGER_OR_NULL)

export const Flag = (description: string, defaultValue = false) =>
  Type.Optional(Bool(description, { default: defaultValue, [STORED]: FLAG }))

export const Amount = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1e12, description, 'x-message': 'must be a number from 0 to 10^12' })

export const OptionalInstant = (description: string) =>
  Type.Optional(Instant(description, '2026-03-02T12:00:00.000Z', { [STORED]: INSTANT }))

export const InstantOrNull = (description: string) =>
  Type.Optional(
    Nullable(Instant(description, '2026-03-02T12:00:00.000Z'), {
      description,
      default: null,
      'x-message': `${INSTANT_MESSAGE}, or null`,
      [STORED]: INSTANT_OR_NULL,
    }),
  )

/** A user of the file, by id or by unique nickname. */
export const UserRef = (description: string) =>
  Type.Unsafe<number | string>({
    type: ['integer', 'string'],
    minimum: 0,
    maximum: MAX_ID,
    maxLength: 100,
    description: `${description}: id or nickname`,
    examples: ['TIENDA'],
    'x-message': 'must be the id or the nickname of a user of the file',
    [STORED]: USER,
  })

export const ItemRef = Type.String({
  description: 'Listing of the file',
  examples: ['MLA1400000001'],
  'x-message': 'must be the id of a listing of the file',
})
