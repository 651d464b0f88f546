import type { Area } from '../../domains/flex/areas.ts'
import { shippingOf } from '../support/items.ts'
import { badRequest, errorBody, FOREIGN, notFound } from '../support/questions.ts'
import {
  CITIES,
  type Days,
  type Full,
  full,
  type Mode,
  newer,
  older,
  type Range,
  type Status,
  type Subscription,
  TURBO_RANGES,
} from './flex_answers.ts'

// A model of Flex for one seller of MLA, derived from the documented rules only.

export type Kind = 'custom' | 'accurate' | 'zone' | 'radius'
export type Listing = 'active' | 'paused' | 'closed' | 'under_review'

export interface Answer {
  status: number
  body?: unknown
}

export interface Item {
  id: string
  seller_id: number
  status: Listing
  shipping_mode: 'me2' | 'custom'
  in_flex: boolean
}
export interface Shipment {
  id: number
  seller_id: number
  driver_id: number | null
  open: boolean
}

export const LEVELS = ['5_green', '4_light_green', '3_yellow', '2_orange', '1_red', null]
const GOOD_LEVELS = LEVELS.slice(0, 3)
/** The next status of each status. */
export const NEXT: Record<Status, Status> = { pending: 'in', in: 'out', out: 'pending' }

const ok = (body: unknown): Answer => ({ status: 200, body })
const NO_CONTENT: Answer = { status: 204 }
const errorAnswer = (body: ReturnType<typeof errorBody>): Answer => ({ status: body.status, body })
const badRequestAnswer = (message: string) => errorAnswer(badRequest(message))
const notFoundAnswer = (message: string) => errorAnswer(notFound(message))
const forbidden = (message: string) => errorAnswer(errorBody(403, 'forbidden', message))
/** Errors of the site in the path; MLB has Flex, but nothing of this seller. */
const SITE_ERRORS: Record<string, string> = { MLV: "can't access to resource", '%20': 'empty site id' }
const siteError = (site: string): Answer | undefined =>
  site === 'MLA' || site === 'MLB' ? undefined : badRequestAnswer(SITE_ERRORS[site] ?? 'invalid site_id')

/** Another seller of the site, who never changes. */
export interface Stranger {
  id: number
  subscriptions: Pick<Subscription, 'user_id' | 'mode' | 'service_id'>[]
  item: Item
  shipment: Shipment
}

export class FlexModel {
  level_id: string | null = '5_green'
  city = 'Buenos Aires'
  subscriptions: Subscription[] = []
  shipments: Shipment[] = []
  published = { items: 0, 'flex-handshakes': 0 }

  readonly id: number
  readonly items: Item[]
  readonly stranger: Stranger
  now: number
  constructor(id: number, items: Item[], stranger: Stranger, now: number) {
    this.id = id
    this.items = items
    this.stranger = stranger
    this.now = now
  }

  get area(): Area | undefined {
    return CITIES[this.city]!.area
  }
  of = (mode: Mode) => this.subscriptions.find((one) => one.mode === mode)
  /** The own or the stranger's subscription with this service id; parameters are text. */
  private pair(site: string, user: string, service: string) {
    const all = site === 'MLA' ? [...this.subscriptions, ...this.stranger.subscriptions] : []
    return all.find(({ user_id, service_id }) => `${user_id}` === user && `${service_id}` === service)
  }
  private userError(user: string): Answer | undefined {
    if (user === `${this.id}`) return undefined
    return user === `${this.stranger.id}` ? errorAnswer(FOREIGN) : notFoundAnswer('user not found')
  }

  // Subscriptions

  /** Returns the unmet condition, or subscribes under the ids that the server has chosen. */
  subscribe(mode: Mode, training_days: number | null, createIds: () => { id: number; service_id: number }) {
    if (!this.items.some(({ status, shipping_mode }) => status === 'active' && shipping_mode === 'me2'))
      return 'the seller has no active listing with shipping mode me2'
    if (!GOOD_LEVELS.includes(this.level_id)) return 'the reputation of the seller is neither yellow nor green'
    if (!this.area) return 'the address of the seller lies in no coverage area'
    if (mode === 'TURBO' && !this.of('FLEX')) return 'Flex is not activated for the seller'
    if (this.of(mode)) return `the seller already has ${mode}`
    const flex = mode === 'FLEX'
    const week = flex
      ? [{ from: 14, to: 21, capacity: 50, cutoff: 13 }]
      : TURBO_RANGES.map(({ from, to }) => ({ from, to, capacity: 10, cutoff: from }))
    this.subscriptions.push({
      ...createIds(),
      user_id: this.id,
      mode,
      status: 'pending',
      creation_date: this.now,
      training_days,
      delivery_window: 'same_day',
      days: { week, saturday: null, sunday: null },
      zones: flex ? this.area.zones.filter(({ central }) => central).map(({ id }) => id) : [],
      radius: flex ? null : 3000,
    })
    return undefined
  }

  /** Returns whether the transition is allowed, and applies it. */
  move(mode: Mode, to: Status): boolean {
    const one = this.of(mode)
    if (!one || NEXT[one.status] !== to) return false
    one.status = to
    return true
  }

  list(site: string, user: string, isNewer: boolean): Answer {
    const error = siteError(site) ?? this.userError(user)
    if (error) return error
    const own = site === 'MLA' ? this.subscriptions : []
    return ok(own.map((one) => (isNewer ? newer(one, this.city) : older(one))))
  }
  // The configuration

  /** The complete configuration for one root field, or the error that becomes the whole answer. */
  configuration(site: string, user: string, service: string): Answer | Full {
    const error = siteError(site) ?? this.userError(user)
    if (error) return error
    const one = this.pair(site, user, service)
    return one ? full(one as Subscription, this.city, this.now) : notFoundAnswer('subscriptions not found')
  }
  query(site: string, complaint: string): Answer {
    return siteError(site) ?? badRequestAnswer(complaint)
  }

  // Settings

  /** `complaint` is the expected error of the body; the model finds errors of zones itself. */
  update(kind: Kind, site: string, user: string, service: string, text: string, complaint?: string): Answer {
    const error = siteError(site)
    if (error) return error
    if (!/^\d+$/.test(user)) return badRequestAnswer('invalid user_id')
    if (!/^\d+$/.test(service)) return badRequestAnswer('invalid service_id')
    const body = objectIn(text)
    if (!body) return badRequestAnswer('invalid JSON body')
    const found = this.pair(site, user, service)
    const mode = kind === 'custom' || kind === 'zone' ? 'FLEX' : 'TURBO'
    if (found?.mode !== mode) return notFoundAnswer("can't update delivery custom")
    if (found.user_id !== this.id) return errorAnswer(FOREIGN)
    const one = found as Subscription
    if (one.status === 'out') return forbidden("can't update delivery custom")
    const wrong = complaint ?? (kind === 'zone' ? this.zonesError(body.zones) : capacityError(kind, body))
    if (wrong) return badRequestAnswer(wrong)
    return ok(this.store(one, kind, body))
  }
  private store(one: Subscription, kind: Kind, body: Body) {
    if (kind === 'zone') {
      one.zones = body.zones.map(({ id }) => id)
      return { zones: body.zones }
    }
    if (kind === 'radius') {
      one.radius = Number(body.radius)
      return { radius: one.radius }
    }
    const stored = ({ from, to, capacity, cutoff }: Range): Range => ({
      from: Number(from),
      to: Number(to),
      capacity: Number(capacity),
      cutoff: Number(kind === 'custom' ? cutoff : from),
    })
    const day = (ranges: Range[] | null | undefined) => (ranges?.length ? ranges.map(stored) : null)
    const { week, saturday, sunday } = body.delivery_ranges
    one.days = { week: day(week), saturday: day(saturday), sunday: day(sunday) }
    if (kind === 'custom') one.delivery_window = body.delivery_window ?? one.delivery_window
    return { delivery_window: one.delivery_window, delivery_ranges: one.days }
  }
  private zonesError(sent: { id?: unknown }[]): string | undefined {
    const areaZones = this.area?.zones ?? []
    for (const [n, { id }] of sent.entries()) {
      if (!areaZones.some((zone) => zone.id === id)) return `zones[${n}].id: is no zone of the coverage area`
      if (sent.findIndex((other) => other.id === id) < n) return `zones[${n}].id: stands twice`
    }
    const missing = areaZones.find(({ id, mandatory }) => mandatory && !sent.some((one) => one.id === id))
    return missing && `zones: must hold ${missing.id}, which is mandatory`
  }

  // Listings

  switch(method: 'GET' | 'POST' | 'DELETE', newer: boolean, site: string, item_id: string): Answer {
    const item = [...this.items, this.stranger.item].find(({ id }) => id === item_id)
    if (site !== 'MLA' || !item) return notFoundAnswer('item not found')
    if (item.seller_id !== this.id) return errorAnswer(FOREIGN)
    if (item.shipping_mode !== 'me2') return forbidden('item down')
    if (method === 'GET' && newer) return ok({ has_flex: item.in_flex })
    if (method === 'GET') return item.in_flex ? NO_CONTENT : forbidden('item down')
    if (item.in_flex === (method === 'POST')) return badRequestAnswer('item is already in flex')
    const subscribed = ['in', 'pending'].includes(this.of('FLEX')?.status ?? 'out')
    if (method === 'POST' && !(item.status === 'active' && subscribed)) return forbidden('item down')
    item.in_flex = method === 'POST'
    this.published.items++
    return NO_CONTENT
  }

  /** Returns whether the status of a listing changes. */
  relist(item: Item, status: Listing): boolean {
    if (item.status === status) return false
    item.status = status
    this.published.items++
    return true
  }

  /** Listings with their status and shipping. */
  listings(ids: string[]): Answer {
    return ok(
      ids.map((item_id) => {
        const item = [...this.items, this.stranger.item].find(({ id }) => id === item_id)
        if (!item) return { code: 404, body: notFound(`Item with id ${item_id} not found`) }
        const { status, shipping_mode: mode, in_flex } = item
        return { code: 200, body: { shipping: shippingOf(mode, { inFlex: in_flex }), status }, status }
      }),
    )
  }

  // Shipments

  /** Returns whether a driver starts carrying a shipment. */
  assign(shipment: Shipment, driver_id: number): boolean {
    if (shipment.driver_id === driver_id && shipment.open) return false
    Object.assign(shipment, { driver_id, open: true })
    this.published['flex-handshakes']++
    return true
  }

  driver(site: string, shipment_id: string): Answer {
    const error = siteError(site)
    if (error) return error
    const one = site === 'MLA' ? this.shipments.find(({ id }) => `${id}` === shipment_id) : undefined
    return one?.open ? ok({ driver_id: one.driver_id }) : notFoundAnswer('shipment_id not found')
  }
}

function objectIn(text: string): Body | undefined {
  try {
    const value = JSON.parse(text)
    return value && typeof value === 'object' && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

interface Body {
  delivery_window?: string
  delivery_ranges: Partial<Days>
  zones: { id: string }[]
  radius: number | string
}

/** New subscriptions have the same capacity on all days. */
function capacityError(kind: Kind, { delivery_ranges: days }: Body): string | undefined {
  if (kind !== 'custom') return undefined
  const all = (['week', 'saturday', 'sunday'] as const).flatMap((day) =>
    (days[day] ?? []).map(({ capacity }, n) => ({ day, n, capacity: Number(capacity) })),
  )
  if (new Set(all.map(({ day }) => day)).size < 2) return undefined
  const other = all.find(({ capacity }) => capacity !== all[0]!.capacity)
  return (
    other &&
    `delivery_ranges.${other.day}[${other.n}].capacity: must be the same on all days, as CAPACITY_BY_DAY is disabled`
  )
}
