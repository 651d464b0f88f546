import { type Static, type TProperties, type TUnsafe, Type } from '@sinclair/typebox'
import { CLOCK_MODES } from '../../db/clock.ts'
import { SWITCHES } from '../../domains/assumptions.ts'
import { StrictBody } from '../../domains/shared/control_schemas.ts'
import { OneOf } from '../../domains/shared/schemas.ts'
import { Int, OptionalInstant } from '../../domains/shared/world_file/fields.ts'
import { LISTS } from './sections.ts'

const Clock = StrictBody(
  {
    mode: OneOf([...CLOCK_MODES], { description: 'real, shifted or frozen', examples: ['frozen'] }),
    now: OptionalInstant('World time; not with mode `real`'),
  },
  { description: 'Clock of the world; default: real time', 'x-message': 'must be an object with mode and now' },
)

const Assumptions = StrictBody(
  Object.fromEntries(
    Object.entries(SWITCHES).map(([name, values]) => [
      name,
      Type.Optional(OneOf([...values], { description: 'Value' })),
    ]),
  ) as Record<string, TUnsafe<string>>,
  { description: 'Values of assumptions that differ from their defaults', 'x-message': 'must be an object' },
)

const Counters = Type.Record(Type.String({ pattern: '^[a-z_]{1,64}$' }), Int('Last assigned number'), {
  description: 'Last assigned number of each kind; later numbers continue from it',
  additionalProperties: false,
  'x-message': 'must be an object of integers',
})

/** The members that are not lists. */
export const SINGLE_MEMBERS = {
  $schema: Type.Optional(Type.String({ description: 'URL of the JSON Schema of world files, for editors' })),
  version: Type.Literal(1, { description: 'Version of the format', 'x-message': 'must be 1' }),
  clock: Type.Optional(Clock),
  seed: Type.Optional(Int('Seed of generated values', 0, undefined, { default: 1 })),
  assumptions: Type.Optional(Assumptions),
  counters: Type.Optional(Counters),
}
export type SingleMembers = { [N in keyof typeof SINGLE_MEMBERS]: Static<(typeof SINGLE_MEMBERS)[N]> }

const listMembers: TProperties = Object.fromEntries(
  [...LISTS].map(([name, { element, maxElements, description }]) => [
    name,
    Type.Optional(Type.Array(element, { maxItems: maxElements, description })),
  ]),
)

/** A whole world file. */
export const WorldFile = StrictBody(
  { ...SINGLE_MEMBERS, ...listMembers },
  { title: 'WorldFile', description: 'A complete world of mercadito as JSON' },
)
