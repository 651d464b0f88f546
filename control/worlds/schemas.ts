import { type Static, Type } from '@sinclair/typebox'
import { Label, StrictBody } from '../../domains/shared/control_schemas.ts'
import {
  Instant,
  Integer,
  IntegerFrom,
  MAX_ID,
  Nullable,
  OneOf,
  ResponseObject,
  SecretText,
} from '../../domains/shared/schemas.ts'
import { SCENARIOS, SHIPPED_SEED } from '../../scenarios/names.ts'
import { AssumptionValue } from './assumptions.ts'
import { Clock } from './clock_schemas.ts'

const WorldId = Type.Integer({ description: 'Number of the world', examples: [2] })
const Url = Type.String({ description: 'Base address of the world', examples: ['http://127.0.0.1:4400/w/2'] })
const Mode = OneOf(['temporary', 'kept', 'shared'], {
  description: 'Whether it exists after the server ends',
  examples: ['temporary'],
})

const Person = ResponseObject(
  {
    id: Type.Integer({ description: 'User identifier' }),
    site_id: Type.String({ description: 'Country site' }),
    nickname: Type.String({ description: 'Name' }),
    token: SecretText({ description: 'Access token that does not expire' }),
  },
  { title: 'Person', description: 'A test user' },
)
export const WorldInfoResponse = ResponseObject(
  {
    url: Url,
    world: ResponseObject(
      {
        id: WorldId,
        mode: Mode,
        data: Nullable(Type.String(), { description: 'The data folder; null if worlds are temporary' }),
      },
      { description: 'The world' },
    ),
    application: ResponseObject(
      {
        id: Type.Integer({ description: 'client_id' }),
        secret: SecretText({ description: 'client_secret' }),
        redirect_uri: Type.String({ description: 'Redirect URI of OAuth' }),
      },
      { description: 'Its first application' },
    ),
    sellers: Type.Array(Person, { description: 'Test users with a reputation' }),
    buyers: Type.Array(Person, { description: 'Test users without a reputation' }),
  },
  { title: 'ReadyWorld', description: 'Address, application and tokens of a world' },
)
const RealTime = (description: string) =>
  Nullable(Type.String(), {
    description: `${description}, in the time of this machine`,
    examples: ['2026-03-02T12:00:00.000Z'],
  })
const WorldName = Label('Name of the world, for the list of worlds', 'Checkout tests')
const ExpiresIn = Integer(
  1,
  31_536_000,
  'Real seconds after which the server deletes the world, at most a year; default: never',
  { examples: [3600] },
)

export const ListedWorld = ResponseObject(
  {
    id: WorldId,
    url: Url,
    created_at: RealTime('When it was created; null for the default world'),
    created_by: Nullable(Type.String(), { description: 'Who created it', examples: ['exec by ana@build-7'] }),
    expires_at: RealTime('When the server deletes it; null: never'),
    used_at: RealTime('Its last call; null if there was none since the start of the server'),
    bytes: Type.Integer({ description: 'Size of its files, with snapshots' }),
    name: Nullable(Type.String(), { description: 'Name of the world; null if it has none' }),
    clock: Nullable(Clock, { description: 'The time in the world; null if its file is damaged' }),
  },
  { title: 'ListedWorld', description: 'A world' },
)

export const NewWorld = StrictBody(
  {
    scenario: Type.Optional(OneOf([...SCENARIOS], { description: 'Content of the world', examples: ['demo'] })),
    from: Type.Optional(
      Integer(1, MAX_ID, 'Number of the world to copy; instead of scenario', {
        'x-message': 'must be the number of a world',
      }),
    ),
    seed: Type.Optional(IntegerFrom(0, `Generates other data of the same kind; default: ${SHIPPED_SEED}`, 1)),
    now: Type.Optional(Instant('Freeze the clock at this instant', '2026-03-02T12:00:00Z')),
    expires_in: Type.Optional(ExpiresIn),
    name: Type.Optional(WorldName),
    created_by: Type.Optional(Label('Who creates it, for the list of worlds', 'exec by ana@build-7')),
    assume: Type.Optional(
      Type.Record(Type.String(), AssumptionValue, {
        description: 'Values of assumptions by name',
        examples: [{ 'contacts.current_bucket': 'exclude' }],
        'x-message': 'must be an object with names and values',
      }),
    ),
  },
  { examples: [{ scenario: 'demo', now: '2026-03-02T12:00:00Z' }] },
)
export type NewWorld = Static<typeof NewWorld>

export const WorldChange = StrictBody(
  {
    name: Type.Optional(
      Type.Unsafe<string | null>({
        ...WorldName,
        type: ['string', 'null'],
        description: 'Name of the world; null: none',
        'x-message': 'must be a text of 1 to 100 characters, or null',
      }),
    ),
    expires_in: Type.Optional(
      Type.Unsafe<number | null>({
        ...ExpiresIn,
        type: ['integer', 'null'],
        description: 'Real seconds from now on, after which the server deletes the world; null: never',
        'x-message': 'must be an integer from 1 to 31536000, or null',
      }),
    ),
  },
  {
    minProperties: 1,
    'x-message': 'must be a JSON object with name, expires_in or both',
    examples: [{ name: 'Checkout tests' }],
  },
)
