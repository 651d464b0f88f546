import { eq } from 'drizzle-orm'
import type { InjectOptions } from 'fastify'
import { outbox } from '../../db/tables.ts'
import type { SubscriptionRow } from '../../domains/flex/queries.ts'
import { moveSubscription, subscribe } from '../../domains/flex/subscription_operations.ts'
import { type FlexMode, type FlexStatus, flex_subscription } from '../../domains/flex/tables.ts'
import { item } from '../../domains/items/tables.ts'
import { user } from '../../domains/users/tables.ts'
import type { Answer, Person, TestApp } from './app.ts'
import { marketOf } from './questions.ts'

export interface Seller extends Person {
  put(url: string, body?: unknown, options?: InjectOptions): Promise<Answer>
}

type UserColumns = Partial<typeof user.$inferInsert>
type ItemColumns = Partial<typeof item.$inferInsert>
type SubscriptionColumns = Partial<typeof flex_subscription.$inferInsert>

export interface Courier {
  seller: Seller
  /** The listing that made it able to deliver. */
  item: string
  flex: SubscriptionRow
  turbo: SubscriptionRow
}

/** What a test of Flex needs: sellers, listings and subscriptions of its own. */
export interface Depot {
  /** Anybody, with PUT. */
  withPut(person: Person): Seller
  /** Somebody in Buenos Aires with a green reputation and no listing; `columns` say otherwise. */
  seller(columns?: UserColumns): Promise<Seller>
  /** An active listing on ME2; `columns` say otherwise. */
  listing(seller: Seller, columns?: ItemColumns): Promise<string>
  /** A new subscription that has come to a status. */
  subscribed(seller: Seller, mode: FlexMode, status?: FlexStatus, training_days?: number): Promise<SubscriptionRow>
  /** A new seller with a listing, FLEX and TURBO, both of the status. */
  courier(status?: FlexStatus): Promise<Courier>
  /** Moderation, a move of house and the like: what no call of the seller does. */
  setUser(id: number, columns: UserColumns): Promise<void>
  setItem(id: string, columns: ItemColumns): Promise<void>
  setSubscription(id: number, columns: SubscriptionColumns): Promise<void>
  /** The events written since the last look. */
  facts(): Promise<(typeof outbox.$inferSelect)[]>
}

export const HOME = { address: 'Av. Corrientes 1234', city: 'Buenos Aires', state: 'Capital Federal', zip_code: '1043' }

/** The statuses that a new subscription goes through. */
const WAY: Record<FlexStatus, FlexStatus[]> = { pending: [], in: ['in'], out: ['in', 'out'] }

export function depotOf(app: TestApp): Depot {
  const { world, call } = app
  const market = marketOf(app)

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

  const setUser: Depot['setUser'] = (id, columns) =>
    world.tx(async (q) => void q.db.update(user).set(columns).where(eq(user.id, id)).run())
  const setItem: Depot['setItem'] = (id, columns) =>
    world.tx(async (q) => void q.db.update(item).set(columns).where(eq(item.id, id)).run())

  const seller: Depot['seller'] = async (columns) => {
    const person = await market.person()
    await setUser(person.id, { level_id: '5_green', address: JSON.stringify(HOME), ...columns })
    return withPut(person)
  }
  const listing: Depot['listing'] = async (seller, columns) => {
    const id = await market.listing(seller)
    if (columns) await setItem(id, columns)
    return id
  }
  const subscribed: Depot['subscribed'] = ({ id: user_id }, mode, status = 'in', training_days) =>
    world.tx(async (q) => {
      let row = await subscribe(q, world, { user_id, mode, ...(training_days && { training_days }) })
      for (const to of WAY[status]) row = (await moveSubscription(q, row.id, to))!
      return row
    })

  return {
    withPut,
    seller,
    listing,
    subscribed,
    setUser,
    setItem,
    async courier(status) {
      const one = await seller()
      const item = await listing(one)
      const flex = await subscribed(one, 'FLEX', status)
      return { seller: one, item, flex, turbo: await subscribed(one, 'TURBO', status) }
    },
    setSubscription: (id, columns) =>
      world.tx(async (q) => void q.db.update(flex_subscription).set(columns).where(eq(flex_subscription.id, id)).run()),
    facts: () => world.tx(async (q) => q.db.delete(outbox).returning().all()),
  }
}

// Site ids that are refused: what is known but has no Flex, and what is no site.
export const WITHOUT_FLEX = ['MLV', 'MBO', 'MPY', 'MCR', 'MPA', 'MRD', 'MGT', 'MHN', 'MNI', 'MSV', 'MCU']
export const NO_SITES = ['MXX', 'mla', 'Mla', 'MLAA', 'ML', '1', 'toString', 'ML%41x', '%C3%91']
export const BLANK_SITES = ['', '%20', '%20%20', '%09']

/** The addresses of Flex. Sites and ids may be anything: many of them are to be refused. */
export const at = {
  subscriptions: (site: string, user: unknown) => `/shipping/flex/sites/${site}/users/${user}/subscriptions/v1`,
  newer: (site: string, user: unknown) => `/flex/sites/${site}/users/${user}/subscriptions/v1`,
  configuration: (site: string) => `/shipping/flex/sites/${site}/configuration/v3`,
  update: (kind: Kind, site: string, user: unknown, service: unknown) =>
    `/shipping/flex/sites/${site}/users/${user}/services/${service}/configuration/${PARTS[kind]}/${kind}/v3`,
  item: (site: string, item: string) => `/sites/${site}/shipping/selfservice/items/${item}`,
  newerItem: (site: string, item: string) => `/flex/sites/${site}/items/${item}/v2`,
  driver: (site: string, shipment: unknown, version = 'v1') =>
    `/flex/sites/${site}/shipments/${shipment}/assignment/${version}`,
}
export type Kind = 'custom' | 'zone' | 'accurate' | 'radius'
const PARTS: Record<Kind, string> = { custom: 'delivery', zone: 'coverage', accurate: 'delivery', radius: 'coverage' }
export const KINDS: Kind[] = ['custom', 'zone', 'accurate', 'radius']

/** The text of a query for a pair. */
export const asking = (user_id: number | string, service_id: number | string, selection = '{ delivery_window }') =>
  `{ configuration(user_id: ${user_id}, service_id: ${service_id}) ${selection} }`

/** A request: who asks for what. */
export type Request = [as: Seller, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown]

export const send = ([as, method, url, body]: Request): Promise<Answer> =>
  method === 'GET' || method === 'DELETE'
    ? as[method === 'GET' ? 'get' : 'delete'](url)
    : as[method === 'POST' ? 'post' : 'put'](url, body)

// Whole bodies of the contract's error table, and of the rulings on it.
const refused = (status: number, error: string, message: string) => ({ message, error, status, cause: [] as unknown[] })
const bad = (message: string) => refused(400, 'bad_request', message)
export const said = {
  emptySite: bad('empty site id'),
  invalidSite: bad('invalid site_id'),
  noFlexSite: bad("can't access to resource"),
  noUser: refused(404, 'not_found', 'user not found'),
  invalidUser: bad('invalid user_id'),
  invalidService: bad('invalid service_id'),
  invalidJson: bad('invalid JSON body'),
  invalidQuery: bad('invalid query'),
  notOfSchema: bad('failed to create schema in graphql operation'),
  noPair: refused(404, 'not_found', 'subscriptions not found'),
  nothingToUpdate: refused(404, 'not_found', "can't update delivery custom"),
  isOut: refused(403, 'forbidden', "can't update delivery custom"),
  itemDown: refused(403, 'forbidden', 'item down'),
  noItem: refused(404, 'not_found', 'item not found'),
  alreadyInFlex: bad('item is already in flex'),
  noShipment: refused(404, 'not_found', 'shipment_id not found'),
}
