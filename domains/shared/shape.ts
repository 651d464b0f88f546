import {
  Kind,
  type TArray,
  type TBoolean,
  type TNull,
  type TNumber,
  type TObject,
  type TSchema,
  type TString,
  type TUnion,
  type TUnknown,
  Type,
} from '@sinclair/typebox'

const NULLABLE = Symbol('nullable')
const DECIMAL = Symbol('decimal')

interface OrNull<Example> {
  [NULLABLE]: Example
}
interface Decimal {
  [DECIMAL]: number
}

/** In an example: this, or null. */
export const orNull = <const Example>(example: Example): OrNull<Example> => ({ [NULLABLE]: example })
/** In an example: a number that may have decimals, such as an amount of money. */
export const decimal = (example: number): Decimal => ({ [DECIMAL]: example })

/** The schema of what answers have where an example has `E`. */
type Shape<E> = E extends TSchema
  ? E
  : E extends OrNull<infer Present>
    ? TUnion<[Shape<Present>, TNull]>
    : E extends Decimal | number
      ? TNumber
      : E extends string
        ? TString
        : E extends boolean
          ? TBoolean
          : E extends null
            ? TNull
            : E extends readonly []
              ? TArray<TUnknown>
              : E extends readonly (infer Element)[]
                ? TArray<Shape<Element>>
                : TObject<{ -readonly [Member in keyof E & string]: Shape<E[Member]> }>

/** The same; TypeScript does not try to infer the example from where the schema is used. */
type Resolved<E> = Shape<E> extends infer Schema extends TSchema ? Schema : never

interface ShapeOptions {
  title?: string
  description?: string
  /** What the members of some names mean, in this answer and the objects in it; `{}` where the name says it. */
  notes?: Readonly<Record<string, string>>
}

/**
 * The schema of an answer, from an example of it: numbers, texts, booleans and null stand for their type, `[one]` for an
 * array, schemas for themselves. `[]`: an array that is always empty.
 */
export const shape = <const Example>(example: Example, options: ShapeOptions = {}): Resolved<Example> => {
  const { notes = {}, ...more } = options
  return schemaOf(example, notes, more) as unknown as Resolved<Example>
}

type Notes = NonNullable<ShapeOptions['notes']>

/** Where members of these names lead, for the description of a path [spec: http.options.members]. */
const USERS = ['user_id', 'seller_id', 'buyer_id', 'sender_id', 'receiver_id', 'payer_id', 'cust_id']
const PATHS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(USERS.map((name) => [name, '/users/:id'])),
  ...{ item_id: '/items/:id', category_id: '/categories/:id', catalog_product_id: '/products/:id' },
  ...{ order_id: '/orders/:id', pack_id: '/packs/:id', payment_id: '/collections/:id' },
  ...{ shipment_id: '/shipments/:id', shipping_id: '/shipments/:id', claim_id: '/post-purchase/v1/claims/:id' },
  ...{ currency_id: '/currencies/:id', site_id: '/sites/:id' },
}

function schemaOf(example: unknown, notes: Notes, options: object): TSchema {
  if (example === null) return Type.Null(options)
  if (typeof example === 'string') return Type.String({ examples: [example], ...options })
  if (typeof example === 'boolean') return Type.Boolean({ examples: [example], ...options })
  if (typeof example === 'number')
    return Type[Number.isInteger(example) ? 'Integer' : 'Number']({ examples: [example], ...options })
  if (Array.isArray(example))
    return Type.Array(example.length === 0 ? Type.Unknown() : schemaOf(example[0], notes, {}), options)
  const one = example as Record<string | symbol, unknown>
  if (Kind in one) return { ...one, ...options } as unknown as TSchema
  if (DECIMAL in one) return Type.Number({ examples: [one[DECIMAL]], ...options })
  if (NULLABLE in one) return Type.Union([schemaOf(one[NULLABLE], notes, {}), Type.Null()], options)
  return objectOf(one, notes, options)
}

/** The members of an object are described when they are first read: a start needs those of few answers. */
function objectOf(example: Record<string, unknown>, notes: Notes, options: object): TSchema {
  const schema = { additionalProperties: false, ...options, [Kind]: 'Object', type: 'object' }
  let described: Pick<TObject, 'required' | 'properties'> | undefined
  const describe = () => {
    described ??= Type.Object(
      Object.fromEntries(
        Object.entries(example).map(([name, value]) => {
          const [description, path] = [notes[name], Object.hasOwn(PATHS, name) && PATHS[name]]
          return [
            name,
            schemaOf(value, notes, { ...(description && { description }), ...(path && { 'x-path': path }) }),
          ]
        }),
      ),
    )
    return described
  }
  return Object.defineProperties(schema, {
    required: { enumerable: true, get: () => describe().required },
    properties: { enumerable: true, get: () => describe().properties },
  }) as unknown as TSchema
}
