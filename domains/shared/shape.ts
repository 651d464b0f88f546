import { Kind, type Static, type TSchema, type TUnsafe, Type } from '@sinclair/typebox'
import { ResponseObject } from './schemas.ts'

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

/** What answers have where an example has `E`. */
export type Shaped<E> = E extends TSchema
  ? Static<E>
  : E extends OrNull<infer Present>
    ? Shaped<Present> | null
    : E extends Decimal | number
      ? number
      : E extends string
        ? string
        : E extends boolean
          ? boolean
          : E extends null
            ? null
            : E extends readonly (infer Element)[]
              ? Shaped<Element>[]
              : { -readonly [Member in keyof E]: Shaped<E[Member]> }

interface ShapeOptions {
  title?: string
  description?: string
  /** What the members of some names mean, in this answer and the objects in it; `{}` where the name says it. */
  notes?: Readonly<Record<string, string>>
}

/**
 * The schema of an answer, from an example of it: integers, texts, booleans and null stand for their type, `[one]` for an
 * array, schemas for themselves. `[]`: an array that is always empty.
 */
export const shape = <const Example>(example: Example, options: ShapeOptions = {}): TUnsafe<Shaped<Example>> => {
  const { notes = {}, ...more } = options
  return schemaOf(example, notes, more) as unknown as TUnsafe<Shaped<Example>>
}

type Notes = NonNullable<ShapeOptions['notes']>

function schemaOf(example: unknown, notes: Notes, options: object): TSchema {
  if (example === null) return Type.Null(options)
  if (typeof example === 'string') return Type.String({ examples: [example], ...options })
  if (typeof example === 'boolean') return Type.Boolean({ examples: [example], ...options })
  if (typeof example === 'number') return Type.Integer({ examples: [example], ...options })
  if (Array.isArray(example))
    return Type.Array(example.length === 0 ? Type.Unknown() : schemaOf(example[0], notes, {}), options)
  const one = example as Record<string | symbol, unknown>
  if (Kind in one) return { ...one, ...options } as unknown as TSchema
  if (DECIMAL in one) return Type.Number({ examples: [one[DECIMAL]], ...options })
  if (NULLABLE in one) return Type.Union([schemaOf(one[NULLABLE], notes, {}), Type.Null()], options)
  return ResponseObject(
    Object.fromEntries(
      Object.entries(one).map(([name, value]) => {
        const description = notes[name]
        return [name, schemaOf(value, notes, description === undefined ? {} : { description })]
      }),
    ),
    options,
  )
}
