import { parseJson, type RecordedCall } from './calls.ts'
import type { Fact, Facts } from './facts.ts'
import { instant, isObject, type Learn, learnAddress, list, numeric } from './learn_things.ts'

/** Subscriptions, their settings, listings with Flex, and drivers. */
export const learnFlex: Learn = (facts, call, json) => {
  const { template, params } = call.route
  const { n } = call.line
  if (template.endsWith('/subscriptions/v1')) {
    facts.set('user', params.user_id!, { has_list: true }, n)
    for (const one of list(json)) learnSubscription(facts, n, one)
  } else if (template.endsWith('/configuration/v3')) learnConfigurations(facts, call, json)
  else if (template.includes('/assignment/'))
    facts.set(
      'shipment',
      params.shipment_id!,
      { exists: true, site_id: params.site_id, driver_id: numeric((json as Fact).driver_id), hint_seller: call.token },
      n,
    )
  else if (call.method === 'GET' && params.item_id !== undefined)
    facts.set(
      'item',
      params.item_id,
      { in_flex: call.answer.status === 204 || (json as Fact).has_flex, hint_seller: call.token },
      n,
    )
}

function learnSubscription(facts: Facts, n: number, one: unknown): void {
  if (!isObject(one)) return
  const user_id = numeric(one.user_id)
  facts.set(
    'subscription',
    String(one.service_id),
    {
      ...{ exists: true, id: numeric(one.id), user_id, site_id: one.site_id, mode: one.mode },
      status: isObject(one.status) ? one.status.id : one.status,
      creation_date: instant(one.creation_date),
    },
    n,
  )
  if (user_id !== undefined) facts.set('user', user_id, { exists: true, ...learnAddress(one.origin) }, n)
}

const argument = (query: string, variables: unknown, name: string): number | undefined => {
  const [, value] = new RegExp(`\\b${name}\\s*:\\s*(\\$?\\w+)`).exec(query) ?? []
  return value?.startsWith('$') ? numeric((variables as Fact | undefined)?.[value.slice(1)]) : numeric(value)
}

/** Only queries with one root field: with several, the recording does not show to which one an answer belongs. */
function learnConfigurations(facts: Facts, { line, route }: RecordedCall, json: unknown): void {
  if (!isObject(json) || Object.keys(json).length !== 1) return
  const [found] = Object.values(json)
  const { query = '', variables } = (parseJson(line.body) ?? {}) as Fact
  const user_id = argument(query, variables, 'user_id')
  const service_id = argument(query, variables, 'service_id')
  if (!isObject(found) || user_id === undefined || service_id === undefined) return
  const { subscription, zones, disabled_features: disabled } = found
  facts.set('user', user_id, { exists: true, ...learnAddress(found.address) }, line.n)
  facts.set(
    'subscription',
    service_id,
    {
      ...{ exists: true, user_id, site_id: route.params.site_id },
      mode: found.radius === undefined ? undefined : found.radius === null ? 'FLEX' : 'TURBO',
      ...{ delivery_window: found.delivery_window, is_moderated: found.is_moderated, radius: found.radius },
      delivery_ranges: learnRanges(found.delivery_ranges),
      zones: Array.isArray(zones)
        ? zones.filter(isObject).flatMap(({ id, selected }) => (selected ? [id] : []))
        : undefined,
      daily_capacity: Array.isArray(disabled) ? !disabled.includes('CAPACITY_BY_DAY') : undefined,
      ...{ status: subscription?.status?.id, creation_date: instant(subscription?.creation_date) },
      training_days: numeric(subscription?.training_times?.original?.value),
    },
    line.n,
  )
}

/** As sellers send them; undefined if the query has not asked for all of it. */
function learnRanges(ranges: unknown): Fact | undefined {
  if (!isObject(ranges) || !['week', 'saturday', 'sunday'].every((day) => ranges[day] !== undefined)) return undefined
  const days = Object.entries(ranges).map(([day, all]): [string, Fact[]] => [
    day,
    list(all)
      .filter(isObject)
      .map(({ from, to, capacity, calculated_cutoff: cutoff }) => ({ from, to, capacity, cutoff })),
  ])
  const isWhole = days.every(([, all]) => all.every(({ from, to, capacity }) => from + to + capacity >= 0))
  return isWhole ? Object.fromEntries(days) : undefined
}
