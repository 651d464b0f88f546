import { STORAGE_TABLES } from '../db/tables.ts'
import { catalogue } from './catalogue/index.ts'
import { claims } from './claims/index.ts'
import { contacts } from './contacts/index.ts'
import { credits } from './credits/index.ts'
import { currencies } from './currencies/index.ts'
import type { Domain } from './domain.ts'
import { fallback } from './fallback/index.ts'
import { flex } from './flex/index.ts'
import { items } from './items/index.ts'
import { messages } from './messages/index.ts'
import { notifications } from './notifications/index.ts'
import { oauth } from './oauth/index.ts'
import { orders } from './orders/index.ts'
import { questions } from './questions/index.ts'
import { shipments } from './shipments/index.ts'
import { sites } from './sites/index.ts'
import { users } from './users/index.ts'

/** All domains, in the order of their paths in `openapi.json`. */
export const DOMAINS: readonly Domain[] = [
  oauth,
  users,
  currencies,
  sites,
  items,
  catalogue,
  questions,
  orders,
  shipments,
  messages,
  claims,
  flex,
  contacts,
  credits,
  notifications,
  fallback,
]

/** What time brings about with events. */
export const STEPS = DOMAINS.flatMap(({ steps }) => steps ?? [])

/** All tables of a world. */
export const TABLES = [...STORAGE_TABLES, ...DOMAINS.flatMap(({ tables }) => tables)]

/**
 * The event listeners of all domains, called in the unit of each published event. The last domain's come first, so that
 * an event is notified before those that follow from it.
 */
export const SUBSCRIBERS = DOMAINS.flatMap(({ subscriber }) => subscriber ?? []).reverse()

/** Has every path that no other domain has. */
export const FALLBACK = fallback
