import { type Static, type TProperties, Type } from '@sinclair/typebox'
import { CLOCK_MODES } from '../../db/clock.ts'
import { SWITCHES } from '../../domains/assumptions.ts'
import { FINANCIAL_ENTITIES, LEAD_STATUSES } from '../../domains/credits/tables.ts'
import { DELIVERY_WINDOWS, FLEX_MODES, FLEX_STATUSES } from '../../domains/flex/tables.ts'
import { SETTING_FIELDS } from '../../domains/notifications/control/setting_schemas.ts'
import { MAX_TEXT_LENGTH } from '../../domains/questions/errors.ts'
import { QUESTION_STATUSES } from '../../domains/questions/tables.ts'
import { StrictBody } from '../../domains/shared/control_schemas.ts'
import { Instant, ITEM_ID, MAX_ID, Nullable, OneOf } from '../../domains/shared/schemas.ts'
import { Text as TextOf, VisibleAscii } from '../../domains/shared/texts.ts'
import { SITES } from '../../domains/users/sites.ts'
import { NewFault } from '../faults/schemas.ts'

// What a world file may say. Members with a default may be left out, and are left out of an export where they have it.

const optional = Type.Optional

const Text = (
  description: string,
  maxLength: number,
  { mayBeBlank = false, ...options }: { mayBeBlank?: boolean; default?: string } = {},
) => ({ ...TextOf(description, maxLength, { mayBeBlank }), ...options })
const Int = (description: string, minimum = 0, maximum = MAX_ID, options: object = {}) =>
  Type.Integer({
    minimum,
    maximum,
    description,
    'x-message': `must be an integer from ${minimum} to ${maximum === MAX_ID ? '2^53 − 1' : maximum}`,
    ...options,
  })
const Flag = (description: string, byDefault = false) =>
  optional(Type.Boolean({ description, default: byDefault, 'x-message': 'must be true or false' }))
const Amount = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1e12, description, 'x-message': 'must be a number from 0 to 10^12' })
const OptionalInstant = (description: string) => optional(Instant(description, '2026-03-02T12:00:00.000Z'))
const INTEGER_OR_NULL = { 'x-message': 'must be an integer, or null' }

/** A user of the file: by id, or by nickname where only one has it. */
const UserRef = (description: string) =>
  Type.Unsafe<number | string>({
    type: ['integer', 'string'],
    minimum: 0,
    maximum: MAX_ID,
    maxLength: 100,
    description: `${description}: id or nickname`,
    examples: ['TIENDA'],
    'x-message': 'must be the id or the nickname of a user of the file',
  })
const ItemRef = Type.String({
  description: 'Listing of the file',
  examples: ['MLA1400000001'],
  'x-message': 'must be the id of a listing of the file',
})
const Site = OneOf(SITES, { description: 'Country site', examples: ['MLA'] })

const AddressField = (description: string) => optional(Text(description, 200, { mayBeBlank: true, default: '' }))

const FileUser = StrictBody(
  {
    id: optional(Int('User identifier; made where none is given', 1)),
    site_id: Site,
    nickname: optional(Text('Public name', 100)),
    password: optional(Text('Password', 200)),
    email: optional(Text('Mail address', 255)),
    first_name: optional(Text('First name', 100, { mayBeBlank: true, default: 'Test' })),
    last_name: optional(Text('Last name', 100, { mayBeBlank: true, default: 'Test' })),
    phone: optional(Text('Telephone', 100, { mayBeBlank: true, default: '' })),
    address: optional(
      StrictBody(
        {
          address: AddressField('Street and number'),
          city: AddressField('City; it decides whether Flex goes there'),
          state: AddressField('State or province'),
          zip_code: AddressField('Postal code'),
        },
        { description: 'Where the user lives or sells from', 'x-message': 'must be an object' },
      ),
    ),
    user_type: optional(Text('Kind of account', 64, { default: 'normal' })),
    tags: optional(
      Type.Array(Text('Mark', 64), {
        maxItems: 50,
        description: 'Marks; who has `test_user` can be picked on the authorization page',
        default: ['normal', 'test_user'],
        'x-message': 'must be a list of at most 50 texts',
      }),
    ),
    level_id: optional(
      Nullable(Text('Reputation', 64), {
        description: 'Reputation, such as 5_green; null for who has not sold: a buyer',
        default: null,
        'x-message': 'must be a text, or null',
      }),
    ),
    power_seller_status: optional(
      Nullable(Text('Medal', 64), { description: 'Medal', default: null, 'x-message': 'must be a text, or null' }),
    ),
    sales_completed: optional(Int('Sales completed', 0, MAX_ID, { default: 0 })),
    sales_canceled: optional(Int('Sales canceled', 0, MAX_ID, { default: 0 })),
    status: optional(OneOf(['active', 'deactive'], { description: 'State of the account', default: 'active' })),
    registration_date: OptionalInstant('When it was registered; default the world’s now'),
  },
  { title: 'FileUser', description: 'A user' },
)

const FileApplication = StrictBody(
  {
    id: optional(Int('client_id; without one the world gives its own', 1)),
    secret: optional(VisibleAscii('client_secret; without one the world gives its own', 'mi-secreto')),
    number: optional(
      Int('Of one whose id and secret are the world’s own: the last nine digits of the id', 0, 999_999_999),
    ),
    name: optional(Text('Name', 100, { default: 'mercadito' })),
    redirect_uri: optional(Text('Where OAuth leads back to', 2048, { default: 'http://localhost:3000/callback' })),
    notifications: optional(
      StrictBody(SETTING_FIELDS, {
        description: 'How it is told of changes; without it it is not',
        'x-message': 'must be an object with callback_url',
      }),
    ),
  },
  { title: 'FileApplication', description: 'A program that users let act for them' },
)
const application = optional(Int('Which of `applications`, from 0', 0, MAX_ID, { default: 0 }))

const FileGrant = StrictBody(
  { user_id: UserRef('Who let it in'), application, date_created: OptionalInstant('When; default the world’s now') },
  { title: 'FileGrant', description: 'A user lets an application act for them' },
)
const FileToken = StrictBody(
  {
    user_id: UserRef('Whom it acts for'),
    application,
    token: optional(VisibleAscii('The token; without one the world gives its own', 'mi-token')),
    expires_at: optional(
      Nullable(Instant('When it ends', '2026-03-02T18:00:00.000Z'), {
        description: 'When it ends, by the world’s clock; null for never',
        default: null,
        'x-message': 'must be an ISO 8601 date-time, or null',
      }),
    ),
  },
  { title: 'FileToken', description: 'An access token' },
)

const FileItem = StrictBody(
  {
    id: optional(
      Type.String({
        pattern: ITEM_ID.source,
        description: 'Listing identifier; made where none is given',
        examples: ['MLA1400000001'],
        'x-message': 'must be M, two letters of the site, and 1 to 20 digits',
      }),
    ),
    seller_id: UserRef('Who sells it'),
    site_id: optional(Site),
    title: Text('Title, as buyers see it', 255),
    price: Amount('Price in the currency of the listing'),
    currency_id: optional(
      Type.String({
        pattern: '^[A-Z]{3}$',
        description: 'Currency; default that of the site',
        'x-message': 'must be three letters',
      }),
    ),
    status: optional(
      OneOf(['active', 'paused', 'closed', 'under_review', 'inactive'], { description: 'State', default: 'active' }),
    ),
    shipping_mode: optional(
      OneOf(['me2', 'me1', 'custom', 'not_specified'], { description: 'How it is shipped', default: 'me2' }),
    ),
    in_flex: Flag('Offered with Flex'),
    date_created: OptionalInstant('When it was listed; default the world’s now'),
    last_updated: OptionalInstant('When it was last changed; default date_created'),
  },
  { title: 'FileItem', description: 'A listing' },
)

const FileAnswer = StrictBody(
  {
    text: Text('Text', MAX_TEXT_LENGTH, { mayBeBlank: true }),
    status: optional(OneOf(['ACTIVE', 'DISABLED', 'BANNED'], { description: 'State', default: 'ACTIVE' })),
    date_created: OptionalInstant('When it was given; default the world’s now'),
  },
  { description: 'The answer', 'x-message': 'must be an object with text' },
)
const FileQuestion = StrictBody(
  {
    id: optional(Int('Question identifier; made where none is given', 1)),
    item_id: ItemRef,
    from_id: optional(UserRef('Who asked')),
    guest: Flag('Somebody without an account asked; from_id may then be left out, or any number'),
    text: Text('Text; empty when it was banned', MAX_TEXT_LENGTH, { mayBeBlank: true }),
    status: optional(
      OneOf([...QUESTION_STATUSES], { description: 'State; default as its answer and its listing have it' }),
    ),
    date_created: OptionalInstant('When it was asked; default the world’s now'),
    answer: optional(FileAnswer),
    deleted_from_listing: Flag('It does not show on the page of the listing any more'),
    hold: Flag('It waits for moderation'),
    suspected_spam: Flag('The filter takes it for spam'),
    hidden: Flag('Its seller has hidden it'),
    counted: Flag('The contact statistics count it', true),
  },
  { title: 'FileQuestion', description: 'A question' },
)

const FileBlock = StrictBody(
  {
    seller_id: UserRef('Seller'),
    buyer_id: UserRef('Buyer'),
    date_created: OptionalInstant('When; default the world’s now'),
  },
  { title: 'FileBlock', description: 'A buyer whose questions a seller does not take' },
)

/** Instants of one element of `contacts`. */
export const MAX_INSTANTS = 10_000
const CONTACTS = { question: 'questions', phone_view: 'phone_views', whatsapp: 'whatsapp' } as const
/** How the control plane names the kinds of contacts, and how the tables do. */
export const CONTACT_KIND_BY_NAME = CONTACTS
const FileContacts = StrictBody(
  {
    kind: OneOf(Object.keys(CONTACTS) as (keyof typeof CONTACTS)[], {
      description: 'What buyers did. Questions of the file count by themselves and do not stand here',
      examples: ['phone_view'],
    }),
    item_id: ItemRef,
    at: Type.Array(Instant('When', '2026-03-02T12:00:00.000Z'), {
      minItems: 1,
      maxItems: MAX_INSTANTS,
      description: 'When, once for each time',
      'x-message': `must be a list of 1 to ${MAX_INSTANTS} ISO 8601 date-times`,
    }),
    buyer_ids: optional(
      Type.Array(
        Type.Unsafe<number | string | null>({
          type: ['integer', 'string', 'null'],
          'x-message': 'must be the id or the nickname of a user of the file, or null',
        }),
        {
          maxItems: MAX_INSTANTS,
          description: 'Who, as many as there are instants; null for a guest. Without it: guests',
          'x-message': 'must be a list with one user, or null, for each instant',
        },
      ),
    ),
    count: optional(Int('How often each', 1, 100_000, { default: 1 })),
  },
  { title: 'FileContacts', description: 'Contacts of one kind with one listing' },
)

const FileLoan = StrictBody(
  {
    id: optional(
      Type.String({
        pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
        description: 'UUID in small letters; made where none is given',
        'x-message': 'must be a UUID in small letters',
      }),
    ),
    item_id: ItemRef,
    buyer_id: UserRef('Who could buy'),
    down_payment_amount: Amount('Entry amount'),
    installments_number: Int('How many installments', 1, 1000),
    installments_amount: Amount('Amount of one installment'),
    proposal_id: optional(
      Nullable(Text('Identifier that the entity gave', 100), {
        description: 'Identifier that the entity gave',
        default: null,
        'x-message': 'must be a text, or null',
      }),
    ),
    financial_entity_id: optional(
      OneOf([...FINANCIAL_ENTITIES], { description: 'The financing entity', default: 'MERCADO_PAGO' }),
    ),
    status: optional(OneOf([...LEAD_STATUSES], { description: 'State of the credit', default: 'in_analysis' })),
    date_created: OptionalInstant('When it came; default the world’s now'),
    expired: Flag('It was made to expire before its time'),
  },
  { title: 'FileLoan', description: 'A lead of a pre-approved credit' },
)

const FileSubscription = StrictBody(
  {
    id: optional(Int('Identifier; made where none is given', 1)),
    user_id: UserRef('Seller'),
    site_id: optional(Site),
    mode: optional(OneOf([...FLEX_MODES], { description: 'TURBO needs FLEX', default: 'FLEX' })),
    service_id: optional(Int('Service; made where none is given', 1)),
    status: optional(OneOf([...FLEX_STATUSES], { description: 'State', default: 'in' })),
    creation_date: OptionalInstant('When; default the world’s now'),
    training_days: optional(
      Nullable(Int('Days of practice', 1, 1000), {
        description: 'Days of practice',
        default: null,
        ...INTEGER_OR_NULL,
      }),
    ),
    delivery_window: optional(OneOf([...DELIVERY_WINDOWS], { description: 'When', default: 'same_day' })),
    delivery_ranges: optional(
      Type.Object(
        {},
        {
          description:
            '{week, saturday, sunday}, each a list of {from, to, capacity, cutoff}, or null; as sellers set them',
          'x-message': 'must be an object with week, saturday and sunday',
        },
      ),
    ),
    zones: optional(
      Type.Array(Text('Id of a zone', 64), {
        maxItems: 1000,
        uniqueItems: true,
        description: 'Zones that are served, of FLEX; default the mandatory ones of the seller’s area',
        'x-message': 'must be a list of different zone ids',
      }),
    ),
    radius: optional(
      Nullable(Int('Metres', 1, 100_000), { description: 'Metres around the seller, of TURBO', ...INTEGER_OR_NULL }),
    ),
    is_moderated: Flag('The platform has its eye on it'),
  },
  { title: 'FileSubscription', description: 'A same-day delivery service of a seller' },
)

const FileShipment = StrictBody(
  {
    id: optional(Int('Identifier; made where none is given', 1)),
    seller_id: UserRef('Seller'),
    site_id: optional(Site),
    driver_id: optional(
      Nullable(Int('Driver'), {
        description: 'Who carries it; null for nobody yet',
        default: null,
        ...INTEGER_OR_NULL,
      }),
    ),
    route_open: Flag('The driver is on the way with it'),
    date_created: OptionalInstant('When; default the world’s now'),
  },
  { title: 'FileShipment', description: 'A parcel that a seller delivers with Flex' },
)

const FileFault = StrictBody(
  {
    ...NewFault.properties,
    matched: optional(Int('Calls that it fitted so far', 0, MAX_ID, { default: 0 })),
    applied: optional(Int('Calls that went wrong by it so far', 0, MAX_ID, { default: 0 })),
  },
  { title: 'FileFault', description: 'A rule by which some calls go wrong' },
)

/** The lists of a file in the order in which they are laid out, and how long each may be. */
const LISTS = {
  users: [FileUser, 100_000, 'People'],
  applications: [FileApplication, 1000, 'Programs; without it one, which all test users have let in'],
  grants: [FileGrant, 200_000, 'Who has let which program in; without it those of the tokens'],
  tokens: [FileToken, 200_000, 'Access tokens; without it one for each test user, that does not expire'],
  items: [FileItem, 200_000, 'Listings'],
  questions: [FileQuestion, 2_000_000, 'Questions with their answers'],
  blocked_buyers: [FileBlock, 1_000_000, 'Block lists'],
  contacts: [FileContacts, 10_000_000, 'Phone views, clicks on the messaging button'],
  loans: [FileLoan, 1_000_000, 'Leads of pre-approved credits'],
  flex_subscriptions: [FileSubscription, 200_000, 'Flex and Turbo'],
  shipments: [FileShipment, 1_000_000, 'Parcels'],
  faults: [FileFault, 1000, 'Rules by which calls go wrong'],
} as const
export type ListName = keyof typeof LISTS
export const LIST_NAMES = Object.keys(LISTS) as ListName[]
/** Elements that a list may have. */
export const maxElements = (name: ListName): number => LISTS[name][1]
/** Contacts that one file may hold, each time counted. */
export const MAX_CONTACTS = 20_000_000
/** Bytes that one file may have. */
export const MAX_FILE_BYTES = 2 ** 30

export type Element<N extends ListName> = Static<(typeof LISTS)[N][0]>
export const elementSchema = (name: ListName) => LISTS[name][0]

const Clock = StrictBody(
  {
    mode: OneOf([...CLOCK_MODES], { description: 'real, shifted or frozen', examples: ['frozen'] }),
    now: OptionalInstant('The time in the world; not with `real`'),
  },
  { description: 'What time it is; without it real time', 'x-message': 'must be an object with mode and now' },
)

/** The members that are no lists. */
export const SINGLE_MEMBERS = {
  $schema: optional(Type.String({ description: 'Where the schema of world files is; for editors' })),
  version: Type.Literal(1, { description: 'Of the format', 'x-message': 'must be 1' }),
  clock: optional(Clock),
  seed: optional(Int('What what is random in the world is made from', 0, MAX_ID, { default: 1 })),
  assumptions: optional(
    StrictBody(
      Object.fromEntries(
        Object.entries(SWITCHES).map(([name, values]) => [
          name,
          optional(OneOf([...values], { description: 'Value' })),
        ]),
      ) as TProperties,
      { description: 'Where the world behaves otherwise than by default', 'x-message': 'must be an object' },
    ),
  ),
  counters: optional(
    Type.Record(Type.String({ pattern: '^[a-z_]{1,64}$' }), Int('The last number given'), {
      description: 'The last number that was given of each kind, so that later ones go on from there',
      additionalProperties: false,
      'x-message': 'must be an object of integers',
    }),
  ),
} as const
export type SingleMemberName = keyof typeof SINGLE_MEMBERS

/** A whole world file. */
export const WorldFile = StrictBody(
  {
    ...SINGLE_MEMBERS,
    ...(Object.fromEntries(
      Object.entries(LISTS).map(([name, [element, maxItems, description]]) => [
        name,
        optional(Type.Array(element, { maxItems, description })),
      ]),
    ) as TProperties),
  },
  { title: 'WorldFile', description: 'A whole world of mercadito, as JSON' },
)
