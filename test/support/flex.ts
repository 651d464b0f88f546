import { eq } from 'drizzle-orm'
import type { InjectOptions } from 'fastify'
import { outbox } from '../../db/tables.ts'
import type { SubscriptionRow } from '../../domains/flex/queries.ts'
import { moveSubscription, subscribe } from '../../domains/flex/subscription_operations.ts'
import { type FlexMode, type FlexStatus, flex_subscription } from '../../domains/flex/tables.ts'
import { item } from '../../domains/items/tables.ts'
import { user } from '../../domains/users/tables.ts'
import type { Answer, Person, TestApp } from './app.ts'
import { questionFixtures } from './questions.ts'

export interface Seller extends Person {
  put(url: string, body?: unknown, options?: InjectOptions): Promise<Answer>
}

type UserColumns = Partial<typeof user.$inferInsert>
type ItemColumns = Partial<typeof item.$inferInsert>
type SubscriptionColumns = Partial<typeof flex_subscription.$inferInsert>

interface FlexSeller {
  seller: Seller
  /** The listing that meets the condition of Flex. */
  item: string
  flex: SubscriptionRow
  turbo: SubscriptionRow
}

/** Fixtures for tests of Flex: sellers, listings and subscriptions. */
interface FlexFixtures {
  /** A user with a PUT method. */
  withPut(person: Person): Seller
  /** A seller in Buenos Aires with a green reputation and no listing, unless `columns` say otherwise. */
  createSeller(columns?: UserColumns): Promise<Seller>
  /** An active listing on ME2, unless `columns` say otherwise. */
  createListing(createSeller: Seller, columns?: ItemColumns): Promise<string>
  /** A new subscription moved to a status. */
  createSubscription(
    createSeller: Seller,
    mode: FlexMode,
    status?: FlexStatus,
    training_days?: number,
  ): Promise<SubscriptionRow>
  /** A new seller with a listing, FLEX and TURBO, both in the status. */
  createFlexSeller(status?: FlexStatus): Promise<FlexSeller>
  /** Changes that no call of the seller can make, such as moderation or another address. */
  setUser(id: number, columns: UserColumns): Promise<void>
  setItem(id: string, columns: ItemColumns): Promise<void>
  setSubscription(id: number, columns: SubscriptionColumns): Promise<void>
  /** The events published since the last call. */
  takeEvents(): Promise<(typeof outbox.$inferSelect)[]>
}

export const HOME = { address: 'Av. Corrientes 1234', city: 'Buenos Aires', state: 'Capital Federal', zip_code: '1043' }

/** The statuses that a new subscription passes through. */
const TRANSITIONS: Record<Exclude<FlexStatus, 'creating'>, FlexStatus[]> = {
  pending: [],
  activating: ['activating'],
  in: ['in'],
  out: ['in', 'out'],
}

export function flexFixtures(app: TestApp): FlexFixtures {
  const { world, call } = app
  const questions = questionFixtures(app)

  const withPut = (person: Person): Seller => ({
    ...person,
    put: (url, body, more) =>
      call({
        method: 'PUT',
        url,
        payload: typeof body === 'string' ? body : JSON.stringify(body),
        ...more,
        headers: { authorization: `Bearer ${person.token}`, ...more?.headers },
      }),
  })

  const setUser: FlexFixtures['setUser'] = (id, columns) =>
    world.tx(async (q) => void q.db.update(user).set(columns).where(eq(user.id, id)).run())
  const setItem: FlexFixtures['setItem'] = (id, columns) =>
    world.tx(async (q) => void q.db.update(item).set(columns).where(eq(item.id, id)).run())

  const createSeller: FlexFixtures['createSeller'] = async (columns) => {
    const person = await questions.createUser()
    await setUser(person.id, { level_id: '5_green', address: JSON.stringify(HOME), ...columns })
    return withPut(person)
  }
  const createListing: FlexFixtures['createListing'] = async (seller, columns) => {
    const id = await questions.createListing(seller)
    if (columns) await setItem(id, columns)
    return id
  }
  const createSubscription: FlexFixtures['createSubscription'] = (
    { id: user_id },
    mode,
    status = 'in',
    training_days,
  ) =>
    world.tx(async (q) => {
      let row = await subscribe(q, world, { user_id, mode, ...(training_days && { training_days }) })
      for (const to of TRANSITIONS[status as keyof typeof TRANSITIONS]) row = (await moveSubscription(q, row.id, to))!
      return row
    })

  return {
    withPut,
    createSeller,
    createListing,
    createSubscription,
    setUser,
    setItem,
    async createFlexSeller(status) {
      const one = await createSeller()
      const item = await createListing(one)
      const flex = await createSubscription(one, 'FLEX', status)
      return { seller: one, item, flex, turbo: await createSubscription(one, 'TURBO', status) }
    },
    setSubscription: (id, columns) =>
      world.tx(async (q) => void q.db.update(flex_subscription).set(columns).where(eq(flex_subscription.id, id)).run()),
    takeEvents: () => world.tx(async (q) => q.db.delete(outbox).returning().all()),
  }
}

// Rejected site ids: sites without Flex, and invalid ids.
export const WITHOUT_FLEX = ['MLV', 'MBO', 'MPY', 'MCR', 'MPA', 'MRD', 'MGT', 'MHN', 'MNI', 'MSV', 'MCU']
export const INVALID_SITES = ['MXX', 'mla', 'Mla', 'MLAA', 'ML', '1', 'toString', 'ML%41x', '%C3%91']
export const BLANK_SITES = ['', '%20', '%20%20', '%09']

/** The paths of Flex. Sites and ids can be anything, because many of them are expected to be rejected. */
export const paths = {
  subscriptions: (site: string, user: unknown) => `/shipping/flex/sites/${site}/users/${user}/subscriptions/v1`,
  newer: (site: string, user: unknown) => `/flex/sites/${site}/users/${user}/subscriptions/v1`,
  configuration: (site: string) => `/shipping/flex/sites/${site}/configuration/v3`,
  update: (kind: Kind, site: string, user: unknown, service: unknown) =>
    `/shipping/flex/sites/${site}/users/${user}/services/${service}/configuration/${PARTS[kind]}/${kind}/v3`,
  /** `coverage/zones`, `delivery-ranges` or `holidays`. */
  newerSettings: (path: string, site: string, user: unknown, service: unknown) =>
    `/flex/sites/${site}/users/${user}/services/${service}/configurations/${path}/v1`,
  courier: (site: string, user: unknown) => `/flex/sites/${site}/users/${user}/courier-shipment/v1`,
  item: (site: string, item: string) => `/sites/${site}/shipping/selfservice/items/${item}`,
  newerItem: (site: string, item: string) => `/flex/sites/${site}/items/${item}/v2`,
  driver: (site: string, shipment: unknown, version = 'v1') =>
    `/flex/sites/${site}/shipments/${shipment}/assignment/${version}`,
}
export type Kind = 'custom' | 'zone' | 'accurate' | 'radius'
const PARTS: Record<Kind, string> = { custom: 'delivery', zone: 'coverage', accurate: 'delivery', radius: 'coverage' }

const RANGE = '{ capacity type processing_time from to et_hour calculated_cutoff }'
const DAYS = ['week', 'saturday', 'sunday'].map((day) => `${day} ${RANGE}`).join(' ')
const TIME = '{ value unit }'
const PRICE = '{ cents currency_id decimal_separator fraction symbol }'

/** Each field of a configuration with everything below it [spec: flex.configuration.fields]. */
export const CONFIGURATION_FIELDS = [
  'address { id address_line city { id name } zip_code }',
  `subscription { site_id user_id service_id status { id } creation_date
    training_times { original ${TIME} remaining ${TIME} activation_date } }`,
  ...['delivery_window', 'is_moderated', `delivery_ranges { ${DAYS} }`, 'working_days'],
  `zones { enabled id is_mandatory label neighborhoods price ${PRICE} selected }`,
  'radius',
  'availables { capacity_range { from to } cutoff ranges accurate_ranges { from to } radius_range { from to } }',
  'disabled_features',
].map((text) => text.replace(/\s+/g, ' '))

/** The text of a query for a user and a service. */
export const configurationQuery = (
  user_id: number | string,
  service_id: number | string,
  selection = '{ delivery_window }',
) => `{ configuration(user_id: ${user_id}, service_id: ${service_id}) ${selection} }`

/** A request: caller, method, URL and body. */
export type Request = [caller: Seller, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown]

export const send = ([caller, method, url, body]: Request): Promise<Answer> =>
  method === 'GET' || method === 'DELETE'
    ? caller[method === 'GET' ? 'get' : 'delete'](url)
    : caller[method === 'POST' ? 'post' : 'put'](url, body)

// Whole error bodies [spec: flex.errors].
const errorBody = (status: number, error: string, message: string) => ({
  message,
  error,
  status,
  cause: [] as unknown[],
})
const badRequest = (message: string) => errorBody(400, 'bad_request', message)
export const errors = {
  emptySite: badRequest('empty site id'),
  invalidSite: badRequest('invalid site_id'),
  noFlexSite: badRequest("can't access to resource"),
  noUser: errorBody(404, 'not_found', 'user not found'),
  invalidUser: badRequest('invalid user_id'),
  invalidService: badRequest('invalid service_id'),
  invalidJson: badRequest('invalid JSON body'),
  invalidQuery: badRequest('invalid query'),
  notOfSchema: badRequest('failed to create schema in graphql operation'),
  noPair: errorBody(404, 'not_found', 'subscriptions not found'),
  nothingToUpdate: errorBody(404, 'not_found', "can't update delivery custom"),
  isOut: errorBody(403, 'forbidden', "can't update delivery custom"),
  itemDown: errorBody(403, 'forbidden', 'item down'),
  noItem: errorBody(404, 'not_found', 'item not found'),
  cannotActivate: errorBody(409, 'conflict', "can't activate item"),
  courierConflict: errorBody(409, 'conflict', 'courier shipment conflict'),
  alreadyInFlex: badRequest('item is already in flex'),
  noShipment: errorBody(404, 'not_found', 'shipment_id not found'),
}
