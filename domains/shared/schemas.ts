import {
  Kind,
  type Static,
  type TArray,
  type TNull,
  type TObject,
  type TSchema,
  type TUnknown,
  Type,
} from '@sinclair/typebox'
import type { AnsweredError } from '../../http/errors/answered_error.ts'
import { badParameter } from '../../http/errors/errors.ts'
import { parseInstant } from './instants.ts'

/** The largest integer that JSON clients represent exactly. */
export const MAX_ID = Number.MAX_SAFE_INTEGER

/** One of these texts, as an enum: a union of literals would report one error per literal. */
export const OneOf = <const T extends string[]>(values: T, options: object = {}) =>
  Type.Unsafe<T[number]>({
    type: 'string',
    enum: values,
    'x-message': `must be one of ${values.join(', ')}`,
    ...options,
  })

export const Id = (description: string, example: number, options: object = {}) =>
  Type.Integer({
    minimum: 0,
    maximum: MAX_ID,
    description,
    examples: [example],
    'x-message': 'must be an integer',
    ...options,
  })

export const Bool = (description: string, options: object = {}) =>
  Type.Boolean({ description, 'x-message': 'must be true or false', ...options })

export const Integer = (minimum: number, maximum: number, description: string, options: object = {}) =>
  Type.Integer({
    minimum,
    maximum,
    description,
    'x-message': `must be an integer from ${minimum} to ${maximum}`,
    ...options,
  })

/** An integer without a maximum. */
export const IntegerFrom = (minimum: number, description: string, example: number, options: object = {}) =>
  Integer(minimum, MAX_ID, description, {
    examples: [example],
    'x-message': `must be an integer from ${minimum}`,
    ...options,
  })

export const UserId = Id('Seller or user identifier', 2500000101, { 'x-path': '/users/:id' })
export type UserId = Static<typeof UserId>

/** `M`, two letters of the site, digits. */
export const ITEM_ID = /^M[A-Z]{2}[0-9]{1,20}$/

export const ItemId = Type.String({
  description: 'Listing identifier',
  examples: ['MLA1400000001'],
  'x-path': '/items/:id',
})

/** An item id in a path; a malformed id has the error of an unknown one [spec: http.path.malformed_id]. */
export const ItemIdInPath = (createError: (id: unknown) => AnsweredError) =>
  Type.String({
    pattern: ITEM_ID.source,
    description: 'Listing identifier',
    examples: ['MLA1400000001'],
    'x-error': createError,
  })

/** A number in a path; a malformed id has the error of an unknown one [spec: http.path.malformed_id]. */
export const IdInPath = (
  description: string,
  example: number,
  createError: (id: unknown) => AnsweredError,
  { minimum = 0 } = {},
) => Type.Integer({ minimum, maximum: MAX_ID, description, examples: [example], 'x-error': createError })

export const UserIdInPath = (createError: (id: unknown) => AnsweredError) =>
  IdInPath('Seller or user identifier', 2500000101, createError)

/** An instant in a query; the handler parses it with `parseInstantParameter`. */
export const Instant = (description: string, example: string, options: object = {}) =>
  Type.String({ description, examples: [example], maxLength: 64, 'x-message': INSTANT_MESSAGE, ...options })

export const INSTANT_MESSAGE = 'must be an ISO 8601 date-time, for example 2026-03-01T00:00:00.000-04:00'

/** Ms of an instant in a query. Throws a 400 naming the parameter if it is invalid. */
export function parseInstantParameter(name: string, text: string): number {
  const ms = parseInstant(text)
  if (ms === undefined) throw badParameter(name, INSTANT_MESSAGE, 'http.dates.query')
  return ms
}

/** A list in a query: `ids=A,B` and `ids=A&ids=B` are the same [spec: http.query.lists]. */
export const CommaList = (options: object) => Type.Array(Type.String(), options)

export const splitCommaLists = (list: string[]): string[] =>
  list
    .flatMap((part) => part.split(','))
    .map((name) => name.trim())
    .filter(Boolean)

/** An object in an answer: the serializer sends these members only. */
export const ResponseObject = <T extends Record<string, TSchema>>(properties: T, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** The members of the address of a user. */
export const addressMembers = <Member>(member: (description: string) => Member, city = 'City') => ({
  address: member('Street and number'),
  city: member(city),
  state: member('State or province'),
  zip_code: member('Postal code'),
})

/** What has only one value: null, or an empty array. */
type Constant = TNull | TArray<TUnknown>

/** Values of the members; those of constants may be missing. */
type Given<T extends TObject> = {
  [Name in keyof Static<T> as T['properties'][Name & string] extends Constant ? never : Name]: Static<T>[Name]
} & { [Name in keyof Static<T>]?: Static<T>[Name] | undefined }

/** The value of a constant; undefined: it is none. */
function constantOf(schema: TSchema): unknown {
  if (schema.type === 'array' && schema.items[Kind] === 'Unknown') return []
  return schema.type === 'null' ? null : undefined
}

/** Creates a function that leaves out what a schema does not have, such as other columns of a row, and adds its constants. */
export function membersOf<T extends TObject>(schema: T): (values: Given<T>) => Static<T> {
  let members: [name: keyof Given<T>, constant: unknown][] | undefined
  return (values) => {
    members ??= Object.entries(schema.properties).map(([name, one]) => [name as keyof Given<T>, constantOf(one)])
    const answer: { [name: PropertyKey]: unknown } = {}
    for (const [name, constant] of members) {
      const value = values[name] === undefined ? constant : values[name]
      if (value !== undefined) answer[name] = value
    }
    return answer as Static<T>
  }
}

/** A text in an answer that viewers get as `***`. */
export const SecretText = (options: object = {}) => Type.String({ ...options, 'x-secret': true })

/** An address in an answer that viewers get without user information and query. */
export const SecretUrl = (options: object = {}) => Type.String({ ...options, 'x-secret': 'url' })

export const Nullable = <T extends TSchema>(schema: T, options: object = {}) =>
  Type.Union([schema, Type.Null()], options)

/** The body of every error except those of the contact statistics [spec: http.errors.shape]. */
export const StandardErrorBody = ResponseObject(
  {
    message: Type.String({ description: 'Text for people' }),
    error: Type.String({ description: 'Code for programs' }),
    status: Type.Integer({ description: 'HTTP status' }),
    cause: Type.Array(Type.Unknown(), { description: 'Details; may be empty' }),
  },
  { title: 'Error', description: 'Standard error' },
)

/** Response schemas of the errors of a route. */
export const errorResponses = <const S extends number[]>(...statuses: S) =>
  Object.fromEntries(statuses.map((status) => [status, StandardErrorBody])) as Record<
    S[number],
    typeof StandardErrorBody
  >
