import { applicationId, derived, nextNumber } from '../../../db/ids.ts'
import { badRequest } from '../../../plugins/errors.ts'
import { FIRST_IDS } from '../../../scenarios/demo/rows.ts'
import { FIRST_SERVICE_ID } from '../../flex/limits.ts'
import { setSetting } from '../../notifications/setting_operations.ts'
import { issueAccessToken, issueCredentials } from '../../oauth/operations.ts'
import { uuid } from '../../shared/uuid.ts'
import { testUsers } from '../../users/queries.ts'
import { CURRENCY_OF, type SiteId } from '../../users/sites.ts'
import { actionOf, bare } from '../fault_rules.ts'
import { readSetting } from '../notification_shapes.ts'
import { layContacts } from './contacts.ts'
import { countingFrom, identified } from './identified.ts'
import type { Laying } from './loading.ts'
import {
  insertApplication,
  insertBlock,
  insertFault,
  insertGrant,
  insertItem,
  insertLoan,
  insertShipment,
  insertSubscription,
  insertToken,
  insertUser,
  setCounter,
  setRowNumber,
} from './operations.ts'
import { within } from './places.ts'
import { countersOf, isNumbered } from './queries.ts'
import { layQuestions } from './questions.ts'
import type { Element } from './schema.ts'
import { settingsOf } from './settings.ts'

/** What a world consists of, in the order in which one thing needs another. */
export const LAYERS: ((laying: Laying) => Promise<void>)[] = [
  layUsers,
  layPrograms,
  layItems,
  layQuestions,
  layBlocks,
  layContacts,
  layLoans,
  laySubscriptions,
  layShipments,
  layFaults,
  layCounters,
]

const twice = (place: string) => badRequest(`${place}: stands twice`)
const noItem = (place: string, id: string) => badRequest(`${place}.item_id: the file has no listing ${id}`)

const FIRST_USER = 2_500_000_001

async function layUsers(laying: Laying): Promise<void> {
  const { q, key, people } = laying
  const numbers = countingFrom(FIRST_USER)
  await identified(laying, 'users', numbers.next, async (user, place, id) => {
    const digits = derived(key, `user ${id}`, 18)
    const { nickname = `TEST${digits.slice(0, 8).toUpperCase()}`, site_id } = user
    const address = { address: '', city: '', state: '', zip_code: '', ...user.address }
    const written = await insertUser(q, {
      id,
      site_id,
      nickname,
      password: user.password ?? `qatest${digits.slice(8)}`,
      email: user.email ?? `test_user_${digits.slice(0, 8)}@testuser.example.com`,
      first_name: user.first_name!,
      last_name: user.last_name!,
      phone: user.phone!,
      address: JSON.stringify(address),
      user_type: user.user_type!,
      tags: JSON.stringify(user.tags),
      level_id: user.level_id!,
      power_seller_status: user.power_seller_status!,
      sales_completed: user.sales_completed!,
      sales_canceled: user.sales_canceled!,
      status: user.status!,
      registration_date: laying.at(`${place}.registration_date`, user.registration_date),
    })
    if (written) people.add(id, { site_id, nickname, city: address.city })
    return written
  })
}

/** Applications, who let them in, and tokens. */
async function layPrograms(laying: Laying): Promise<void> {
  const { q, id: world, key, now, people, applications, reach } = laying
  if (!PROGRAMS.some((list) => laying.has(list))) return issueCredentials(q, { id: world, key }, now)
  await laying.each('applications', layApplication)
  if (!laying.has('applications')) await layApplication({}, 'applications[0]')
  if (applications.length === 0) throw badRequest('applications: must have at least one')

  async function layApplication(application: Element<'applications'>, place: string): Promise<void> {
    const { id: chosen, number, secret, name = 'mercadito', redirect_uri = REDIRECT_URI, notifications } = application
    if (chosen !== undefined && number !== undefined) throw badRequest(`${place}.number: belongs to one without id`)
    const nth = applications.length === 0 ? 'application' : `application ${applications.length}`
    const id = chosen ?? applicationId(world, number ?? Number.parseInt(derived(key, nth, 7), 16))
    const made = { id, secret: secret ?? derived(key, `application secret ${id}`, 32), name, redirect_uri }
    if (!(await insertApplication(q, made))) throw twice(`${place}.${chosen === undefined ? 'number' : 'id'}`)
    applications.push(id)
    if (notifications) await setSetting(q, readSetting(id, notifications, reach, `${place}.notifications.`))
  }
  const grantOf = ({ user_id, application = 0 }: Element<'grants'>, place: string) => {
    const application_id = applications[application]
    if (application_id === undefined)
      throw badRequest(`${place}.application: the file has no application ${application}`)
    return { application_id, user_id: people.find(`${place}.user_id`, user_id) }
  }
  await laying.each('grants', async (grant, place) => {
    const date_created = laying.at(`${place}.date_created`, grant.date_created)
    if (!(await insertGrant(q, { ...grantOf(grant, place), date_created }))) throw twice(place)
  })
  const allow = async (grant: { application_id: number; user_id: number }) => {
    if (!laying.has('grants')) await insertGrant(q, { ...grant, date_created: now })
  }
  await laying.each('tokens', async ({ token, expires_at, ...rest }, place) => {
    const grant = grantOf(rest, place)
    const end = expires_at ? laying.at(`${place}.expires_at`, expires_at) : null
    await allow(grant)
    if (token === undefined) await issueAccessToken(q, { id: world, key }, grant, now, end === null ? null : end - now)
    else if (!(await insertToken(q, { token, ...grant, expires_at: end }))) throw twice(`${place}.token`)
  })
  if (laying.has('tokens')) return
  for (const { id: user_id } of await testUsers(q)) {
    const grant = { application_id: applications[0]!, user_id }
    await allow(grant)
    await issueAccessToken(q, { id: world, key }, grant, now, null)
  }
}
const PROGRAMS = ['applications', 'grants', 'tokens'] as const
const REDIRECT_URI = 'http://localhost:3000/callback'

async function layItems(laying: Laying): Promise<void> {
  const { q, people, items } = laying
  const numbers = new Map<string, number>()
  const siteOf = ({ site_id, seller_id }: Element<'items'>, place: string): SiteId =>
    site_id ?? (people.siteOf(people.find(place, seller_id)) as SiteId)
  const next = async (item: Element<'items'>) => {
    const site = siteOf(item, 'items')
    const number = (numbers.get(site) ?? FIRST_ITEM - 1) + 1
    numbers.set(site, number)
    return site + number
  }
  await identified(laying, 'items', next, async (item, place, id) => {
    const seller_id = people.find(`${place}.seller_id`, item.seller_id)
    const site_id = siteOf(item, `${place}.seller_id`)
    const status = item.status!
    const date_created = laying.at(`${place}.date_created`, item.date_created)
    const written = await insertItem(q, {
      id,
      site_id,
      title: item.title,
      seller_id,
      price: item.price,
      currency_id: item.currency_id ?? CURRENCY_OF[site_id],
      status,
      shipping_mode: item.shipping_mode!,
      in_flex: item.in_flex ? 1 : 0,
      date_created,
      last_updated: item.last_updated ? laying.at(`${place}.last_updated`, item.last_updated) : date_created,
    })
    if (written) items.set(id, { seller_id, status })
    return written
  })
}
const FIRST_ITEM = 1_400_000_001

async function layBlocks(laying: Laying): Promise<void> {
  const { q, people } = laying
  await laying.each('blocked_buyers', async (block, place) => {
    const seller_id = people.find(`${place}.seller_id`, block.seller_id)
    const buyer_id = people.find(`${place}.buyer_id`, block.buyer_id)
    const date_created = laying.at(`${place}.date_created`, block.date_created)
    if (!(await insertBlock(q, { seller_id, buyer_id, date_created }))) throw twice(place)
  })
}

async function layLoans(laying: Laying): Promise<void> {
  const { q, key, people, items } = laying
  const next = async () => uuid(derived(key, `credit_lead ${await nextNumber(q, 'credit_lead')}`, 32))
  await identified(laying, 'loans', next, async (loan, place, id) => {
    const item = items.get(loan.item_id)
    if (!item) throw noItem(place, loan.item_id)
    return insertLoan(q, {
      id,
      item_id: loan.item_id,
      seller_id: item.seller_id,
      buyer_id: people.find(`${place}.buyer_id`, loan.buyer_id),
      down_payment_amount: loan.down_payment_amount,
      installments_number: loan.installments_number,
      installments_amount: loan.installments_amount,
      proposal_id: loan.proposal_id!,
      financial_entity_id: loan.financial_entity_id!,
      status: loan.status!,
      date_created: laying.at(`${place}.date_created`, loan.date_created),
      expired: loan.expired ? 1 : 0,
    })
  })
}

async function laySubscriptions(laying: Laying): Promise<void> {
  const { q, people, counters } = laying
  const services = new Set<number>()
  const modes = new Set<string>()
  const turbo: [user: number, place: string][] = []
  await laying.each('flex_subscriptions', async ({ user_id, mode = 'FLEX', service_id }, place) => {
    const user = people.find(`${place}.user_id`, user_id)
    if (modes.has(`${user} ${mode}`)) throw badRequest(`${place}.mode: the seller has ${mode} already`)
    modes.add(`${user} ${mode}`)
    if (mode === 'TURBO') turbo.push([user, place])
    if (service_id === undefined) return
    if (services.has(service_id)) throw twice(`${place}.service_id`)
    services.add(service_id)
  })
  for (const [user, place] of turbo)
    if (!modes.has(`${user} FLEX`)) throw badRequest(`${place}.mode: TURBO needs FLEX, which the seller has not`)

  const numbers = countingFrom((counters.flex_subscription ?? FIRST_IDS.flex_subscription - 1) + 1)
  await identified(laying, 'flex_subscriptions', numbers.next, async (subscription, place, id) => {
    const user_id = people.find(`${place}.user_id`, subscription.user_id)
    const site_id = subscription.site_id ?? people.siteOf(user_id)
    const service_id = subscription.service_id ?? Math.max(FIRST_SERVICE_ID - 1, ...services) + 1
    const written = await insertSubscription(q, {
      id,
      site_id,
      user_id,
      mode: subscription.mode!,
      service_id,
      status: subscription.status!,
      creation_date: laying.at(`${place}.creation_date`, subscription.creation_date),
      training_days: subscription.training_days!,
      delivery_window: subscription.delivery_window!,
      ...settingsOf(subscription, place, { site_id, city: people.cityOf(user_id) }),
      is_moderated: subscription.is_moderated ? 1 : 0,
    })
    if (written) services.add(service_id)
    return written
  })
  await setRowNumber(q, 'flex_subscription', counters.flex_subscription ?? numbers.last())
}

async function layShipments(laying: Laying): Promise<void> {
  const { q, people, counters } = laying
  const numbers = countingFrom((counters.shipment ?? FIRST_IDS.shipment - 1) + 1)
  await identified(laying, 'shipments', numbers.next, async (shipment, place, id) => {
    const seller_id = people.find(`${place}.seller_id`, shipment.seller_id)
    return insertShipment(q, {
      id,
      site_id: shipment.site_id ?? people.siteOf(seller_id),
      seller_id,
      driver_id: shipment.driver_id!,
      route_open: shipment.route_open ? 1 : 0,
      date_created: laying.at(`${place}.date_created`, shipment.date_created),
    })
  })
  await setRowNumber(q, 'shipment', counters.shipment ?? numbers.last())
}

async function layFaults(laying: Laying): Promise<void> {
  const { q, key, people, counters } = laying
  const numbers = countingFrom((counters.fault ?? 0) + 1)
  await identified(laying, 'faults', numbers.next, async (fault, place, id) => {
    const { match = {}, seed, probability = 1, times = null, matched = 0, applied = 0 } = fault
    if (match.user !== undefined) people.find(`${place}.match.user`, match.user)
    const action = JSON.stringify(within(place, () => actionOf(fault.action)))
    return insertFault(q, {
      id,
      method: match.method ?? null,
      path: match.path === undefined ? null : bare(match.path),
      user_id: match.user ?? null,
      action,
      probability,
      seed: seed ?? Number.parseInt(derived(key, `fault ${id}`, 8), 16),
      times,
      matched,
      applied,
    })
  })
  await setRowNumber(q, 'fault', counters.fault ?? numbers.last())
}

/** Later ids go on where the file’s world stood, and never meet one that was given here. */
async function layCounters({ q, counters }: Laying): Promise<void> {
  const used = await countersOf(q)
  for (const [name, n] of Object.entries(counters))
    if (!isNumbered(name) && n > (used[name] ?? 0)) await setCounter(q, name, n)
}
