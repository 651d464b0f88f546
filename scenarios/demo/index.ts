import { random } from '../random.ts'
import { contactsOf, rollups } from './contacts.ts'
import { shipmentsOf, subscriptionsOf } from './flex.ts'
import type { Draft } from './inbox.ts'
import { leadsOf } from './leads.ts'
import { listingsOf } from './listings.ts'
import { peopleOf } from './people.ts'
import { questionsOf } from './questions.ts'
import { rhythm } from './rhythm.ts'
import {
  type BlockedBuyerRow,
  type ContactEventRow,
  FIRST_IDS,
  type ItemRow,
  type LeadRow,
  type QuestionRow,
  type ScenarioRows,
  type ShipmentRow,
  type SubscriptionRow,
  type UserRow,
} from './rows.ts'
import { SITE_IDS, SITES } from './sites.ts'
import { ES } from './texts.es.ts'
import { PT } from './texts.pt.ts'
import { VOICES } from './voices.ts'

export type { ScenarioRows } from './rows.ts'

/**
 * A seller with 97 days of history in each of eight countries.
 * @param seed 0 to 2^53 − 1; decides everything but the ids of users and listings, and what these stand for.
 * @param origin a Monday, 04:00Z (ms). Another one moves the times and nothing else.
 */
export function demo(seed: number, origin: number): ScenarioRows {
  const user: UserRow[] = []
  const item: ItemRow[] = []
  const drafts: Draft[] = []
  const blocked_buyer: BlockedBuyerRow[] = []
  const contact_event: ContactEventRow[] = []
  const credit_lead: LeadRow[] = []
  const flex_subscription: SubscriptionRow[] = []
  const shipment: ShipmentRow[] = []
  const nicknames = new Set<string>()
  for (const id of SITE_IDS) {
    const r = random(seed).fork(id)
    const site = SITES[id]
    const voice = VOICES[id]
    const cast = peopleOf(id, r.fork('people'), nicknames)
    const listings = listingsOf(id, cast.seller.row.id, voice, r.fork('listings'))
    const texts = site.language === 'pt' ? PT : ES
    const shop = { site, voice, texts, cast, listings, rhythm: rhythm(r.fork('rhythm')) }
    const asked = questionsOf(shop, r.fork('questions'))
    user.push(...[cast.seller, ...cast.buyers, ...cast.shoppers, ...cast.spammers].map(({ row }) => row))
    item.push(...listings.map(({ row }) => row))
    drafts.push(...asked.drafts)
    blocked_buyer.push(...asked.blocked)
    contact_event.push(...contactsOf(shop, asked.drafts, r.fork('contacts')))
    credit_lead.push(...leadsOf({ ...shop, site: id }, r.fork('leads')))
    flex_subscription.push(...subscriptionsOf(id, cast.seller.row.id, r.fork('flex')))
    shipment.push(...shipmentsOf(id, cast.seller.row.id, shop.rhythm, r.fork('shipments')))
  }
  const addOrigin = <T extends object, K extends keyof T>(rows: T[], ...columns: K[]): T[] => {
    for (const row of rows) for (const column of columns) if (row[column] !== null) (row[column] as number) += origin
    return rows
  }
  return {
    user: addOrigin(user, 'registration_date'),
    item: addOrigin(item, 'date_created', 'last_updated'),
    question: addOrigin(numberQuestions(drafts), 'date_created', 'answered_at'),
    blocked_buyer: addOrigin(blocked_buyer, 'date_created'),
    contact_event,
    ...rollups(contact_event),
    credit_lead: addOrigin(credit_lead, 'date_created'),
    flex_subscription: addOrigin(flex_subscription, 'creation_date'),
    shipment: addOrigin(shipment, 'date_created'),
  }
}

/**
 * Numbers all sellers' questions in the order in which they came, and marks the first of each buyer on each listing.
 */
function numberQuestions(drafts: Draft[]): QuestionRow[] {
  const seen = new Set<string>()
  return drafts
    .sort((a, b) => a.date_created - b.date_created || a.seller_id - b.seller_id)
    .map((draft, i) => {
      const pair = `${draft.from_id} ${draft.item_id}`
      const first_of_buyer = seen.has(pair) ? 0 : 1
      seen.add(pair)
      return { id: FIRST_IDS.question + i, ...draft, first_of_buyer }
    })
}
