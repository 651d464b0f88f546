import type { RuleId } from '../http/rules.ts'
import type { RecordedCall } from './calls.ts'
import type { Difference } from './compare_values.ts'

type Row = readonly [route: RegExp, what: RegExp, rule: RuleId]

const ITEM_PATH = /^\/items\/\{item_id\}$/
const SEARCH = /questions\/search$/
const QUESTION = /^\/questions\/\{question_id\}$/
const CONTACTS = /\/contacts\//
const TOTALS = /\/contacts\/\w+$/
const WINDOWS = /\/time_window$/
const CONFIGURATION = /configuration\/v3$/

/** Rules of errors and other statuses, by the recorded status and ours, such as `403 200`. The first row that fits. */
const STATUS_RULES: readonly Row[] = [
  [/^\/answers$/, /400|403|404/, 'questions.answer.order'],
  [/^POST \/questions/, /400|403|404/, 'questions.ask.order'],
  [/^DELETE \/questions/, /400|403|404/, 'questions.delete.order'],
  [/^PUT \/items\//, /400|403/, 'items.change.order'],
  [CONTACTS, /401/, 'contacts.auth'],
  [CONTACTS, /403/, 'contacts.owner_only'],
  [CONTACTS, /404/, 'contacts.not_found'],
  [CONTACTS, /400/, 'contacts.windows.parameters'],
  [/^\/vis\/loans/, /401/, 'credits.unauthorized'],
  [/^\/vis\/loans\/search$/, /400/, 'credits.search.order'],
  [/^\/vis\/loans/, /410/, 'credits.detail.gone'],
  [/^\/vis\/loans/, /404/, 'credits.detail.not_found'],
  [/./, /401/, 'http.token.needed'],
  [SEARCH, /403/, 'questions.search.rights'],
  [SEARCH, /400/, 'questions.search.filters'],
  [QUESTION, /404/, 'questions.not_found'],
  [/response_time$/, /404/, 'response_time.not_found'],
  [/response_time$/, /403/, 'response_time.foreign'],
  [/questions_blacklist/, /403|404/, 'questions.blacklist.rights'],
  [/selfservice|flex\/.*\/items\//, /./, 'flex.items.order'],
  [/\/assignment\//, /404/, 'flex.driver'],
  [/flex/, /403/, 'flex.rights'],
  [/flex/, /400|404/, 'flex.order'],
  [/^\/items/, /404/, 'items.not_found'],
  [/^\/users/, /404/, 'users.not_found'],
  [/./, /403/, 'http.errors.foreign_data'],
  [/./, /405/, 'http.errors.wrong_method'],
  [/./, /429/, 'http.errors.too_many_requests'],
  [/./, /400/, 'http.query.bad_parameter'],
]

/** Rules of bodies, by the place. The first row that fits. */
const BODY_RULES: readonly Row[] = [
  [/^\/answers$/, /./, 'questions.answer'],
  [/^POST \/questions/, /./, 'questions.asked'],
  [/^DELETE \/questions/, /./, 'questions.delete'],
  [/^PUT \/items\//, /./, 'items.change'],
  [/^POST .*\/hidden$/, /./, 'questions.hidden.answer'],
  [TOTALS, /date_(from|to)$/, 'contacts.totals.echo'],
  [TOTALS, /user_id$/, 'contacts.user_id_text'],
  [TOTALS, /total$/, 'contacts.totals.bounds'],
  [TOTALS, /./, 'contacts.totals.shape'],
  [WINDOWS, /(^|\])\.?date_(from|to)$/, 'contacts.windows.span'],
  [WINDOWS, /results/, 'contacts.windows.buckets'],
  [WINDOWS, /last$/, 'contacts.windows.last_echo'],
  [WINDOWS, /total$/, 'contacts.windows.span'],
  [WINDOWS, /./, 'contacts.windows.shape'],
  [SEARCH, /^questions\[\]\.answer\b/, 'questions.answer.shape'],
  [SEARCH, /^questions\[\]\.date_created$/, 'http.dates.answers'],
  [SEARCH, /^questions\[\]\.?.+/, 'questions.element'],
  [SEARCH, /^questions/, 'questions.search'],
  [SEARCH, /^filters\.sorts/, 'questions.search.sorts'],
  [SEARCH, /^filters/, 'questions.search.applied'],
  [SEARCH, /^available/, 'questions.search.available'],
  [SEARCH, /^scroll_id/, 'questions.search.scan'],
  [SEARCH, /./, 'questions.search'],
  [QUESTION, /^answer\b/, 'questions.answer.shape'],
  [QUESTION, /date_created$/, 'http.dates.answers'],
  [QUESTION, /answered_questions$/, 'questions.answered_questions'],
  [QUESTION, /./, 'questions.read.shape'],
  [/\/hidden$/, /./, 'questions.hidden.list'],
  [/questions_blacklist/, /./, 'questions.blacklist'],
  [/response_time$/, /sales_percent_increase$/, 'response_time.sales_forecast'],
  [/response_time$/, /./, 'response_time.shape'],
  [/^\/users\/(me|\{user_id\})$/, /^seller_reputation/, 'users.reputation'],
  [/^\/users\/me$/, /./, 'users.me'],
  [/^\/users\/\{user_id\}$/, /./, 'users.read'],
  [/items\/search$/, /^orders|^available_orders/, 'items.search.orders'],
  [/items\/search$/, /./, 'items.search'],
  [ITEM_PATH, /^shipping\.tags/, 'flex.items.tags'],
  [ITEM_PATH, /./, 'items.read'],
  [/^\/items$/, /^\[\]\.body\.shipping\.tags/, 'flex.items.tags'],
  [/^\/items$/, /./, 'items.multiget'],
  [/^\/vis\/loans\/search$/, /^results/, 'credits.search.element'],
  [/^\/vis\/loans\/search$/, /./, 'credits.search'],
  [/^\/vis\/loans\//, /./, 'credits.detail'],
  [/^\/flex\/.*subscriptions\/v1$/, /./, 'flex.subscriptions.newer'],
  [/subscriptions\/v1$/, /./, 'flex.subscriptions.shape'],
  [CONFIGURATION, /training_times/, 'flex.training'],
  [CONFIGURATION, /delivery_ranges/, 'flex.configuration.ranges'],
  [CONFIGURATION, /zones/, 'flex.configuration.zones'],
  [CONFIGURATION, /availables/, 'flex.configuration.availables'],
  [CONFIGURATION, /./, 'flex.configuration.fields'],
  [/\/assignment\//, /./, 'flex.driver'],
  [/^\/flex\/.*\/items\//, /./, 'flex.items.newer'],
  [/selfservice/, /./, 'flex.items'],
  [/^\/currencies$/, /./, 'currencies.list'],
  [/^\/currencies\//, /./, 'currencies.read'],
  [/^\/sites$/, /./, 'sites.list'],
  [/^\/sites\//, /./, 'sites.read'],
  [/^\/missed_feeds$/, /./, 'notifications.missed.list'],
  [/configuration\/delivery\/custom/, /./, 'flex.delivery.answer'],
  [/configuration\/delivery\/accurate|coverage\/radius/, /./, 'flex.turbo.settings'],
  [/configuration\/coverage\/zone/, /./, 'flex.coverage.answer'],
  [/test_user$/, /./, 'users.test_user'],
  [/^\/oauth\//, /./, 'oauth.answer'],
  [/^\/authorization$/, /./, 'oauth.authorization'],
]

/** The rule that a difference is about. */
export function ruleOfDifference({ route, answer, method }: RecordedCall, difference: Difference): RuleId {
  const { kind, place, recorded, answered } = difference
  const { template } = route
  const call = `${method} ${template}`
  const find = (rows: readonly Row[], what: string) =>
    rows.find(([routes, whats]) => (routes.test(template) || routes.test(call)) && whats.test(what))?.[2]
  if (kind === 'status') return find(STATUS_RULES, `${recorded} ${answered}`) ?? 'http.order'
  if (method === 'OPTIONS') return 'http.options.members'
  if (answer.status >= 400)
    return (
      find(STATUS_RULES, String(answer.status)) ?? (CONTACTS.test(template) ? 'contacts.errors' : 'http.errors.shape')
    )
  return find(BODY_RULES, place) ?? 'http.order'
}
