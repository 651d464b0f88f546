import { applicationId, derived, nextNumber } from '../../db/ids.ts'
import { FIRST_SERVICE_ID } from '../../domains/flex/limits.ts'
import { FIRST_SHIPMENT_ID, FIRST_SUBSCRIPTION_ID } from '../../domains/flex/tables.ts'
import { readSetting } from '../../domains/notifications/control/setting_schemas.ts'
import { setSetting } from '../../domains/notifications/setting_operations.ts'
import { issueAccessToken, issueCredentials } from '../../domains/oauth/operations.ts'
import { uuid } from '../../domains/shared/uuid.ts'
import { testUsers } from '../../domains/users/queries.ts'
import { CURRENCY_OF, type SiteId } from '../../domains/users/sites.ts'
import { badRequest } from '../../http/errors.ts'
import { readAction, withoutTrailingSlash } from '../faults/schemas.ts'
import { importContacts } from './contacts.ts'
import { createCounter, importIdentified } from './identified.ts'
import type { ImportContext } from './import.ts'
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
  setLastRowId,
} from './operations.ts'
import { prefixErrors } from './places.ts'
import { countersOf, hasRowNumbers } from './queries.ts'
import { importQuestions } from './questions.ts'
import type { Element } from './schemas.ts'
import { readSubscriptionSettings } from './settings.ts'

/** What a world consists of, in the order in which one thing needs another. */
export const SECTIONS: ((context: ImportContext) => Promise<void>)[] = [
  importUsers,
  importApplications,
  importItems,
  importQuestions,
  importBlocks,
  importContacts,
  importLoans,
  importSubscriptions,
  importShipments,
  importFaults,
  importCounters,
]

const duplicate = (place: string) => badRequest(`${place}: stands twice`)
const unknownItem = (place: string, id: string) => badRequest(`${place}.item_id: the file has no listing ${id}`)

const FIRST_USER_ID = 2_500_000_001

async function importUsers(context: ImportContext): Promise<void> {
  const { q, key, people } = context
  const ids = createCounter(FIRST_USER_ID)
  await importIdentified(context, 'users', ids.next, async (user, place, id) => {
    const digits = derived(key, `user ${id}`, 18)
    const { nickname = `TEST${digits.slice(0, 8).toUpperCase()}`, site_id } = user
    const address = { address: '', city: '', state: '', zip_code: '', ...user.address }
    const isInserted = await insertUser(q, {
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
      registration_date: context.instantOf(`${place}.registration_date`, user.registration_date),
    })
    if (isInserted) people.add(id, { site_id, nickname, city: address.city })
    return isInserted
  })
}

/** Applications, who let them in, and tokens. */
async function importApplications(context: ImportContext): Promise<void> {
  const { q, id: world, key, now, people, applications, networkPolicy } = context
  if (!APPLICATION_LISTS.some((list) => context.has(list))) return issueCredentials(q, { id: world, key }, now)
  await context.each('applications', importApplication)
  if (!context.has('applications')) await importApplication({}, 'applications[0]')
  if (applications.length === 0) throw badRequest('applications: must have at least one')

  async function importApplication(application: Element<'applications'>, place: string): Promise<void> {
    const {
      id: givenId,
      number,
      secret,
      name = 'mercadito',
      redirect_uri = DEFAULT_REDIRECT_URI,
      notifications,
    } = application
    if (givenId !== undefined && number !== undefined) throw badRequest(`${place}.number: belongs to one without id`)
    const label = applications.length === 0 ? 'application' : `application ${applications.length}`
    const id = givenId ?? applicationId(world, number ?? Number.parseInt(derived(key, label, 7), 16))
    const row = { id, secret: secret ?? derived(key, `application secret ${id}`, 32), name, redirect_uri }
    if (!(await insertApplication(q, row))) throw duplicate(`${place}.${givenId === undefined ? 'number' : 'id'}`)
    applications.push(id)
    if (notifications) await setSetting(q, readSetting(id, notifications, networkPolicy, `${place}.notifications.`))
  }
  const resolveGrant = ({ user_id, application = 0 }: Element<'grants'>, place: string) => {
    const application_id = applications[application]
    if (application_id === undefined)
      throw badRequest(`${place}.application: the file has no application ${application}`)
    return { application_id, user_id: people.resolve(`${place}.user_id`, user_id) }
  }
  await context.each('grants', async (grant, place) => {
    const date_created = context.instantOf(`${place}.date_created`, grant.date_created)
    if (!(await insertGrant(q, { ...resolveGrant(grant, place), date_created }))) throw duplicate(place)
  })
  const ensureGrant = async (grant: { application_id: number; user_id: number }) => {
    if (!context.has('grants')) await insertGrant(q, { ...grant, date_created: now })
  }
  await context.each('tokens', async ({ token, expires_at, ...rest }, place) => {
    const grant = resolveGrant(rest, place)
    const end = expires_at ? context.instantOf(`${place}.expires_at`, expires_at) : null
    await ensureGrant(grant)
    if (token === undefined) await issueAccessToken(q, { id: world, key }, grant, now, end === null ? null : end - now)
    else if (!(await insertToken(q, { token, ...grant, expires_at: end }))) throw duplicate(`${place}.token`)
  })
  if (context.has('tokens')) return
  for (const { id: user_id } of await testUsers(q)) {
    const grant = { application_id: applications[0]!, user_id }
    await ensureGrant(grant)
    await issueAccessToken(q, { id: world, key }, grant, now, null)
  }
}
const APPLICATION_LISTS = ['applications', 'grants', 'tokens'] as const
const DEFAULT_REDIRECT_URI = 'http://localhost:3000/callback'

async function importItems(context: ImportContext): Promise<void> {
  const { q, people, items } = context
  const lastNumbers = new Map<string, number>()
  const siteOf = ({ site_id, seller_id }: Element<'items'>, place: string): SiteId =>
    site_id ?? (people.siteOf(people.resolve(place, seller_id)) as SiteId)
  const nextId = async (item: Element<'items'>) => {
    const site = siteOf(item, 'items')
    const number = (lastNumbers.get(site) ?? FIRST_ITEM_NUMBER - 1) + 1
    lastNumbers.set(site, number)
    return site + number
  }
  await importIdentified(context, 'items', nextId, async (item, place, id) => {
    const seller_id = people.resolve(`${place}.seller_id`, item.seller_id)
    const site_id = siteOf(item, `${place}.seller_id`)
    const status = item.status!
    const date_created = context.instantOf(`${place}.date_created`, item.date_created)
    const isInserted = await insertItem(q, {
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
      last_updated: item.last_updated ? context.instantOf(`${place}.last_updated`, item.last_updated) : date_created,
    })
    if (isInserted) items.set(id, { seller_id, status })
    return isInserted
  })
}
const FIRST_ITEM_NUMBER = 1_400_000_001

async function importBlocks(context: ImportContext): Promise<void> {
  const { q, people } = context
  await context.each('blocked_buyers', async (block, place) => {
    const seller_id = people.resolve(`${place}.seller_id`, block.seller_id)
    const buyer_id = people.resolve(`${place}.buyer_id`, block.buyer_id)
    const date_created = context.instantOf(`${place}.date_created`, block.date_created)
    if (!(await insertBlock(q, { seller_id, buyer_id, date_created }))) throw duplicate(place)
  })
}

async function importLoans(context: ImportContext): Promise<void> {
  const { q, key, people, items } = context
  const nextId = async () => uuid(derived(key, `credit_lead ${await nextNumber(q, 'credit_lead')}`, 32))
  await importIdentified(context, 'loans', nextId, async (loan, place, id) => {
    const item = items.get(loan.item_id)
    if (!item) throw unknownItem(place, loan.item_id)
    return insertLoan(q, {
      id,
      item_id: loan.item_id,
      seller_id: item.seller_id,
      buyer_id: people.resolve(`${place}.buyer_id`, loan.buyer_id),
      down_payment_amount: loan.down_payment_amount,
      installments_number: loan.installments_number,
      installments_amount: loan.installments_amount,
      proposal_id: loan.proposal_id!,
      financial_entity_id: loan.financial_entity_id!,
      status: loan.status!,
      date_created: context.instantOf(`${place}.date_created`, loan.date_created),
      expired: loan.expired ? 1 : 0,
    })
  })
}

async function importSubscriptions(context: ImportContext): Promise<void> {
  const { q, people, counters } = context
  const services = new Set<number>()
  const modes = new Set<string>()
  const turbo: [user: number, place: string][] = []
  await context.each('flex_subscriptions', async ({ user_id, mode = 'FLEX', service_id }, place) => {
    const user = people.resolve(`${place}.user_id`, user_id)
    if (modes.has(`${user} ${mode}`)) throw badRequest(`${place}.mode: the seller has ${mode} already`)
    modes.add(`${user} ${mode}`)
    if (mode === 'TURBO') turbo.push([user, place])
    if (service_id === undefined) return
    if (services.has(service_id)) throw duplicate(`${place}.service_id`)
    services.add(service_id)
  })
  for (const [user, place] of turbo)
    if (!modes.has(`${user} FLEX`)) throw badRequest(`${place}.mode: TURBO needs FLEX, which the seller has not`)

  const ids = createCounter((counters.flex_subscription ?? FIRST_SUBSCRIPTION_ID - 1) + 1)
  await importIdentified(context, 'flex_subscriptions', ids.next, async (subscription, place, id) => {
    const user_id = people.resolve(`${place}.user_id`, subscription.user_id)
    const site_id = subscription.site_id ?? people.siteOf(user_id)
    const service_id = subscription.service_id ?? Math.max(FIRST_SERVICE_ID - 1, ...services) + 1
    const isInserted = await insertSubscription(q, {
      id,
      site_id,
      user_id,
      mode: subscription.mode!,
      service_id,
      status: subscription.status!,
      creation_date: context.instantOf(`${place}.creation_date`, subscription.creation_date),
      training_days: subscription.training_days!,
      delivery_window: subscription.delivery_window!,
      ...readSubscriptionSettings(subscription, place, { site_id, city: people.cityOf(user_id) }),
      is_moderated: subscription.is_moderated ? 1 : 0,
    })
    if (isInserted) services.add(service_id)
    return isInserted
  })
  await setLastRowId(q, 'flex_subscription', counters.flex_subscription ?? ids.last())
}

async function importShipments(context: ImportContext): Promise<void> {
  const { q, people, counters } = context
  const ids = createCounter((counters.shipment ?? FIRST_SHIPMENT_ID - 1) + 1)
  await importIdentified(context, 'shipments', ids.next, async (shipment, place, id) => {
    const seller_id = people.resolve(`${place}.seller_id`, shipment.seller_id)
    return insertShipment(q, {
      id,
      site_id: shipment.site_id ?? people.siteOf(seller_id),
      seller_id,
      driver_id: shipment.driver_id!,
      route_open: shipment.route_open ? 1 : 0,
      date_created: context.instantOf(`${place}.date_created`, shipment.date_created),
    })
  })
  await setLastRowId(q, 'shipment', counters.shipment ?? ids.last())
}

async function importFaults(context: ImportContext): Promise<void> {
  const { q, key, people, counters } = context
  const ids = createCounter((counters.fault ?? 0) + 1)
  await importIdentified(context, 'faults', ids.next, async (fault, place, id) => {
    const { match = {}, seed, probability = 1, times = null, matched = 0, applied = 0 } = fault
    if (match.user !== undefined) people.resolve(`${place}.match.user`, match.user)
    const action = JSON.stringify(prefixErrors(place, () => readAction(fault.action)))
    return insertFault(q, {
      id,
      method: match.method ?? null,
      path: match.path === undefined ? null : withoutTrailingSlash(match.path),
      user_id: match.user ?? null,
      action,
      probability,
      seed: seed ?? Number.parseInt(derived(key, `fault ${id}`, 8), 16),
      times,
      matched,
      applied,
    })
  })
  await setLastRowId(q, 'fault', counters.fault ?? ids.last())
}

/** Later ids go on where the file’s world stood, and never meet one that was given here. */
async function importCounters({ q, counters }: ImportContext): Promise<void> {
  const used = await countersOf(q)
  for (const [name, n] of Object.entries(counters))
    if (!hasRowNumbers(name) && n > (used[name] ?? 0)) await setCounter(q, name, n)
}
