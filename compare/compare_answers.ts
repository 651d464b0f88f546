import type { BuiltWorld } from './build_world.ts'
import { type Answer, membersOf, type RecordedCall } from './calls.ts'
import { compareValues, type Difference } from './compare_values.ts'

/** How the answer of this server differs from the recorded one. */
export function compareAnswers(call: RecordedCall, answered: Answer, built: BuiltWorld): Difference[] {
  const { answer: recorded, method, line } = call
  if (recorded.status !== answered.status)
    return [{ kind: 'status', place: 'status', recorded: describe(recorded), answered: describe(answered) }]
  const headers = compareHeaders(recorded.headers, answered.headers)
  if (method === 'HEAD' || line.compare === 'status' || recorded.json === undefined) return headers
  return [...headers, ...compareBodies(call, answered, built)]
}

/** `404 not_found`. */
function describe({ status, json }: Answer): string {
  const { error, code, message } = membersOf(json)
  const text = message ?? error ?? code
  return status < 400 || typeof text !== 'string' ? String(status) : `${status} ${text}`
}

const mediaType = (type: string | undefined): string | undefined => type?.toLowerCase().replace(/\s/g, '')

function compareHeaders(recorded: Record<string, string>, answered: Record<string, string>): Difference[] {
  const [one, other] = [mediaType(recorded['content-type']), mediaType(answered['content-type'])]
  return one === undefined || other === undefined || one === other
    ? []
    : [{ kind: 'header', place: 'content-type', recorded: one, answered: other }]
}

/** Values that do not follow from what a recording shows, by the path of their route and their place: their form is compared. */
const INVENTED: readonly [template: RegExp, place: RegExp][] = [
  [/./, /(^|\.)(permalink|scroll_id|answered_questions|response_time|sales_percent_increase|training_times)$/],
  // Pictures are where each service has them, and products and stock of sellers have ids of their own.
  [/^\/items/, /(^|\.)(user_product_id|inventory_id|(secure_)?(thumbnail|url)|(max_)?size)$/],
  // Names of values, which `value_name` has, too: pseudonyms differ.
  [/^\/items/, /\.values\[\]\.name$/],
  // Counts of all sales and claims, of which only some are seen, and documents and telephones of persons.
  [/^\/users\//, /^(seller_reputation\.(metrics|transactions\.ratings)|identification|phone)\./],
  [/feedback/, /(^|\.)points$/],
  // Places of persons, and texts of the service that are written like those of persons.
  [
    /shipments/,
    /address\.((address_)?id|latitude|longitude|geolocation_last_updated)$|receiver_phone$|^(\[\]\.)?description$/,
  ],
  [/\/claims\/\{claim_id\}\/(detail|returns)$/, /^description$|destination\.name$/],
  // The user id of the mediator: each server has its own.
  [/\/claims\/\{claim_id\}(\/actions)?$/, /^(players)?\[\]\.user_id$/],
  // Conversations with other buyers, and when the last change was, which sales show to the second.
  [/^\/messages\//, /^results|status_date$/],
  // Searches for what no answer shows whole: sales, and all listings of a site.
  [/^\/(sites\/\{site_id\}|orders|collections|v1\/payments|post-purchase\/v1\/claims)\/search|order_blacklist$/, /./],
  // Worlds have no contacts: any counts could be built, so they say nothing.
  [/\/contacts\//, /(^|\.)total$/],
  // Addresses, zones, prices and limits of Flex are those of this server.
  [/configuration\/v3$|subscriptions\/v1$/, /\.(address|origin)\.(id|city\.id)$|\.zones|\.availables/],
  [/^\/(missed_|my)feeds$|^\/oauth\/|test_user$|^\/authorization/, /./],
]
/** Of calls that change something: ids and times that the server gives. */
const INVENTED_BY_WRITES = /(^|\.)(id|client_id|date_created|last_updated)$|^attributes\[\]\.value_name$/

function compareBodies(call: RecordedCall, { json }: Answer, built: BuiltWorld): Difference[] {
  const { template, method, query, isWrite, line } = call
  const recorded = call.answer.json
  const [one, other] = [pageOf(recorded, query), pageOf(json, query)]
  const isSure = isKnown(call, built)
  const isPartial = one.total !== undefined && other.total !== undefined && one.total > other.total
  // Descriptions are texts for people, and test leads have no world.
  const isAllInvented = method === 'OPTIONS' || line.headers['x-sandbox'] !== undefined
  // Other ids of users have another order.
  const hasOtherOrder =
    /from_id|seller_id/.test(query.get('sort_fields') ?? '') || template.endsWith('/questions_blacklist')
  return compareValues(recorded, json, {
    isInvented: (place) =>
      isAllInvented ||
      (isWrite && INVENTED_BY_WRITES.test(place)) ||
      INVENTED.some(([templates, places]) => templates.test(template) && places.test(place)) ||
      // Only a part of what exists has been seen, or of what was seen.
      (/^(paging\.)?total$/.test(place) && (isPartial || !isSure)),
    isWhole: (elements) => isSure && !hasOtherOrder && (one.limit === undefined || elements.length < one.limit),
    hasAll: (elements) =>
      !hasOtherOrder &&
      !(isPartial && one.offset > 0) &&
      (isSure || other.limit === undefined || elements.length < other.limit),
    isOrdered: !hasOtherOrder && (!template.endsWith('/items/search') || isSure),
    isError: call.answer.status >= 400,
  })
}

/** The part of a list that an answer has. */
function pageOf(json: unknown, query: URLSearchParams) {
  const { paging, filters, ...rest } = membersOf(json)
  const number = (value: unknown) => (typeof value === 'number' ? value : undefined)
  return {
    total: number(paging?.total ?? rest.total),
    limit: number(paging?.limit ?? rest.limit),
    offset: query.has('scroll_id') ? 0 : (number(paging?.offset ?? filters?.offset) ?? 0),
  }
}

/** Whether everything is known that decides which elements the list has. */
function isKnown({ template, query, token }: RecordedCall, { incomplete, tokensWithHidden }: BuiltWorld): boolean {
  if (template.endsWith('questions/search')) return token === undefined || !tokensWithHidden.has(token)
  if (template.endsWith('/items/search')) return !incomplete.items
  return !(template === '/vis/loans/search' && query.get('status') !== 'all' && incomplete.leads)
}
