import { isObject, type Members, membersOf, parseJson, type RecordedCall } from './calls.ts'
import type { Facts } from './facts.ts'
import { learnThing, numeric } from './learn_things.ts'

type Learn = (facts: Facts, call: RecordedCall, caller: number | undefined) => void

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const elementsOf = (value: unknown): Members[] => listOf(value).filter(isObject)

/** What successful calls show besides whole things, by method and path: for a write, what it has changed. */
export const LEARNERS: readonly [call: RegExp, Learn][] = [
  [
    /^GET .*\/items\/search$/,
    (facts, { line: { n }, answer, params, query }) => {
      const members = { seller_id: Number(params.user_id), status: query.get('status') || undefined }
      for (const id of listOf(membersOf(answer.json).results)) facts.set('items', String(id), members, n)
    },
  ],
  [
    /^PUT \/items\/\{item_id\}$/,
    (facts, { line, params }) => facts.change('items', params.item_id!, { before: { status: 'active' } }, line.n),
  ],
  [/^GET \/items\/\{item_id\}\/(descriptions?|variations|prices)$/, learnPart],
  [
    /^POST \/(questions(\/\{question_id\})?|answers)$/,
    (facts, { line: { n }, answer, template }, caller) => {
      const { id, item_id, seller_id } = membersOf(answer.json)
      const open = { status: 'UNANSWERED', answer: null, caller }
      facts.change('questions', id, { before: template === '/answers' ? open : { exists: false } }, n)
      // Only an active listing takes questions and answers.
      facts.set('items', item_id, { status: 'active', seller_id }, n - 0.5)
    },
  ],
  [
    /^DELETE \/questions\/\{question_id\}$/,
    (facts, { line, params }, caller) => {
      const before = { status: 'UNANSWERED', caller }
      const after = { status: 'DELETED', deleted_from_listing: true }
      facts.change('questions', params.question_id!, { before, after }, line.n)
    },
  ],
  [
    /\/questions\/hidden$/,
    (facts, { line: { n }, answer, isWrite }, caller) => {
      const change = { ...(isWrite && { before: { hidden: false } }), after: { hidden: true, caller } }
      for (const id of listOf(membersOf(answer.json).question_ids)) facts.change('questions', String(id), change, n)
    },
  ],
  [
    /^GET .*questions_blacklist$/,
    (facts, { line: { n }, answer, params }) => {
      for (const { id } of elementsOf(membersOf(answer.json).users))
        facts.set('blocked_buyers', `${params.seller_id} ${id}`, {}, n)
    },
  ],
  [
    /^(POST|DELETE) .*questions_blacklist/,
    (facts, { line: { n }, answer, method, params: { seller_id, buyer_id } }) => {
      const exists = method === 'POST'
      const buyer = buyer_id ?? membersOf(answer.json).user_id
      facts.change('blocked_buyers', `${seller_id} ${buyer}`, { before: { exists: !exists }, after: { exists } }, n)
    },
  ],
  [/response_time$/, (facts, { line, params }) => facts.set('users', params.user_id!, { has_report: true }, line.n)],
  [/subscriptions\/v1$/, (facts, { line, params }) => facts.set('users', params.user_id!, { has_list: true }, line.n)],
  [
    /\/assignment\//,
    (facts, { line: { n }, answer, params: { shipment_id, site_id } }, caller) => {
      const driver_id = numeric(membersOf(answer.json).driver_id)
      facts.set('shipments', shipment_id!, { site_id, driver_id, caller }, n)
    },
  ],
  [
    /(flex|selfservice)\/.*\/?items\/\{item_id\}/,
    (facts, { line: { n }, answer: { status, json }, method, params, isWrite }) => {
      const in_flex = isWrite ? method === 'POST' : status === 204 || membersOf(json).has_flex
      facts.change(
        'items',
        params.item_id!,
        { ...(isWrite && { before: { in_flex: !in_flex } }), after: { in_flex } },
        n,
      )
      if (method === 'POST') facts.set('items', params.item_id!, { is_offered: true, status: 'active' }, n - 0.5)
    },
  ],
  [/configuration\/v3$/, learnConfiguration],
  [
    /^GET .*\/configurations\/(coverage|delivery)/,
    (facts, { line: { n }, answer: { json }, params: { site_id, user_id, service_id } }) => {
      const { zones, is_downgraded: is_moderated, ...settings } = membersOf(json)
      const cutoffs = elementsOf(zones).flatMap(({ id, cutoff }) => (cutoff ? [[id, cutoff] as const] : []))
      learnThing({ facts, n }, 'flex_subscriptions', {
        ...{ ...settings, is_moderated, site_id, user_id: numeric(user_id), service_id: numeric(service_id) },
        ...(zones && { zones: elementsOf(zones).map(({ id }) => id), zone_cutoffs: Object.fromEntries(cutoffs) }),
      })
    },
  ],
]

/** A part of a listing that has a path of its own. */
function learnPart(facts: Facts, { line: { n }, answer: { json }, params, template }: RecordedCall): void {
  const [part] = template.split('/').slice(-1)
  const all = elementsOf([part === 'prices' ? membersOf(json).prices : json].flat())
  const promotion = all.find(({ type }) => type === 'promotion')
  const known = {
    ...(part === 'variations' && { variations: all }),
    ...(part === 'prices' && { promotion_until: membersOf(promotion?.conditions).end_time ?? null }),
    ...(part!.startsWith('description') && { description: all[0] }),
  }
  learnThing({ facts, n }, 'items', { id: params.item_id, ...known })
}

/** Only queries with one root field: with several, the recording does not show to which one an answer belongs. */
function learnConfiguration(facts: Facts, { line, answer, params }: RecordedCall): void {
  const [found, ...others] = Object.values(membersOf(answer.json))
  const { query, variables } = membersOf(parseJson(line.body))
  const argument = (name: string): number | undefined => {
    const [, value = ''] = new RegExp(`\\b${name}\\s*:\\s*(\\$?\\w+)`).exec(String(query)) ?? []
    return numeric(value.startsWith('$') ? membersOf(variables)[value.slice(1)] : value)
  }
  const [user_id, service_id] = [argument('user_id'), argument('service_id')]
  if (!isObject(found) || others.length > 0 || user_id === undefined || service_id === undefined) return
  const { subscription, zones, disabled_features: disabled, radius, delivery_ranges } = found
  const { status, creation_date, training_times } = membersOf(subscription)
  learnThing({ facts, n: line.n }, 'users', { id: user_id, address: found.address })
  learnThing({ facts, n: line.n }, 'flex_subscriptions', {
    ...{ ...found, user_id, service_id, site_id: params.site_id, status, creation_date },
    mode: radius === undefined ? undefined : radius === null ? 'FLEX' : 'TURBO',
    delivery_ranges: storedRanges(delivery_ranges),
    zones: zones && elementsOf(zones).flatMap(({ id, selected }) => (selected ? [id] : [])),
    daily_capacity: Array.isArray(disabled) ? !disabled.includes('CAPACITY_BY_DAY') : undefined,
    training_days: numeric(training_times?.original?.value),
  })
}

/** As sellers send them; undefined if the query has not asked for all of it. */
function storedRanges(ranges: unknown): Members | undefined {
  const days = Object.entries(membersOf(ranges)).map(([day, all]): [string, Members[]] => [
    day,
    elementsOf(all).map(({ calculated_cutoff: cutoff, ...range }) => ({ ...range, cutoff })),
  ])
  const isWhole = days.every(([, all]) =>
    all.every(({ from, to, capacity, cutoff }) => from + to + capacity + cutoff >= 0),
  )
  return days.length === 3 && isWhole ? Object.fromEntries(days) : undefined
}
