import { utcMillis } from '../domains/shared/instants.ts'
import { withoutUndefined } from '../domains/shared/texts.ts'
import { salesAt } from './build_sales.ts'
import type { Members } from './calls.ts'
import type { Kind } from './facts.ts'
import { INVENTED_USER, type Learned } from './learn.ts'
import { validMembers } from './learn_things.ts'

/** A world file, and what it could not be given. */
export interface BuiltWorld {
  file: Record<string, unknown>
  /** Whether there are listings and leads of which it is not known in which searches they are. */
  incomplete: { items: boolean; leads: boolean }
  /** Tokens of sellers with questions of which it is not known whether they are hidden. */
  tokensWithHidden: ReadonlySet<string>
}

const DAY = 24 * 3_600_000
const INVENTED_ITEM = 8_999_000_000

/** The world of a call: everything that the recording shows, as it was at call `n`, at world time `now`. */
export function buildWorld(learned: Learned, n: number, now: number): BuiltWorld {
  return new WorldBuilder(learned, n, now).build()
}

class WorldBuilder {
  readonly #now: number
  readonly #tokens: Learned['tokens']
  readonly #at: (kind: Kind) => Map<string, Members>
  readonly #users: Map<string, Members>
  readonly #items: Map<string, Members>
  #invented = 0

  constructor({ facts, tokens }: Learned, n: number, now: number) {
    this.#now = now
    this.#tokens = tokens
    this.#at = (kind) => facts.at(kind, n)
    this.#users = this.#at('users')
    this.#items = this.#at('items')
  }

  build(): BuiltWorld {
    const leads = [...this.#at('loans').values()]
    const incomplete = {
      items: [...this.#items.values()].some(({ title, status, date_created }) => !title || !status || !date_created),
      leads: leads.some(({ status }) => status === undefined),
    }
    for (const { user_id } of this.#tokens.values()) this.#user(user_id)
    const [loans, questions] = [this.#leads(), this.#questions()]
    for (const item of this.#items.values()) item.seller_id = this.#user(item.seller_id ?? this.#callerOf(item))
    const lists = {
      ...{ loans, questions, ...this.#applications(), blocked_buyers: this.#blocks('blocked_buyers') },
      ...{ flex_subscriptions: this.#subscriptions(), ...this.#sales() },
      items: [...this.#items].map((entry) => this.#itemOfFile(entry)),
      // Users last: everything else may name some.
      users: [...this.#users].map(([id, user]) => this.#userOfFile(Number(id), user)),
    }
    const elements = Object.entries(lists).map(([name, list]) => [name, list.map((one) => validMembers(name, one))])
    return {
      file: { version: 1, clock: { mode: 'frozen', now: utcMillis(this.#now) }, ...Object.fromEntries(elements) },
      incomplete,
      tokensWithHidden: this.#tokensWithHidden(),
    }
  }

  #tokensWithHidden(): Set<string> {
    const unclear = [...this.#at('questions').values()].filter(({ hidden, status }) => hidden === undefined && status)
    const sellers = new Set(unclear.map(({ item_id }) => this.#items.get(item_id)?.seller_id))
    return new Set([...this.#tokens].filter(([, { user_id }]) => sellers.has(user_id)).map(([token]) => token))
  }

  #user(id: number): number {
    if (!this.#users.has(String(id))) this.#users.set(String(id), {})
    return id
  }

  #inventedUser = (): number => this.#user(INVENTED_USER + ++this.#invented)
  /** Who may be the seller: the user of the call that showed it. */
  #callerOf = ({ caller }: Members): number => caller ?? this.#inventedUser()

  /** A listing of a seller, an invented one if there is none. */
  #anyItem(seller_id: number): string {
    for (const [id, item] of this.#items) if (item.seller_id === seller_id) return id
    const id = `${this.#siteOf(seller_id)}${INVENTED_ITEM + ++this.#invented}`
    this.#items.set(id, { seller_id, status: 'closed' })
    return id
  }

  #siteOf(user_id: number): string {
    const known = this.#users.get(String(user_id))?.site_id
    if (known !== undefined) return known
    for (const [id, { seller_id }] of this.#items) if (seller_id === user_id) return id.slice(0, 3)
    return 'MLA'
  }

  #userOfFile(id: number, { street: address, city, state, zip_code, ...user }: Members): Members {
    const parts = withoutUndefined({ address, city, state, zip_code })
    return { id, nickname: `USER${id}`, site_id: this.#siteOf(id), ...user, address: parts }
  }

  #itemOfFile([id, item]: [string, Members]): Members {
    const date_created = utcMillis(this.#now - 300 * DAY)
    return { id, title: 'Listing', price: 1000, date_created, site_id: id.slice(0, 3), ...item, details: item }
  }

  /** The listing that a question or lead is about. */
  #itemOf(thing: Members): string {
    const seller_id = (): number => thing.seller_id ?? this.#callerOf(thing)
    const item_id = thing.item_id ?? this.#anyItem(seller_id())
    const item = this.#items.get(item_id) ?? {}
    this.#items.set(item_id, item)
    item.seller_id ??= seller_id()
    return item_id
  }

  #questions(): Members[] {
    const questions = [...this.#at('questions')].map(([id, { answer, ...question }]): Members => {
      const item_id = this.#itemOf(question)
      const from_id = this.#user(question.from_id ?? this.#inventedUser())
      // Of a hidden one only the id is known: no search finds it.
      const status = question.status ?? (question.hidden ? 'DELETED' : answer ? 'ANSWERED' : 'UNANSWERED')
      const text = question.text ?? (status === 'BANNED' ? '' : 'Question')
      return { ...question, id: Number(id), item_id, from_id, status, text, ...(answer && { answer }) }
    })
    // A report exists if a question of the last 14 days counts.
    const isReported = ({ item_id, date_created, status }: Members) =>
      this.#now - Date.parse(date_created) < 14 * DAY && status !== 'DELETED' && status !== 'BANNED'
        ? this.#items.get(item_id)?.seller_id
        : undefined
    const reported = new Set(questions.map(isReported))
    const others = [...this.#users].filter(([id, { has_report }]) => has_report && !reported.has(Number(id)))
    return [...questions, ...others.map(([id]) => this.#reportedQuestion(Number(id)))]
  }

  /** No search by seller finds it. */
  #reportedQuestion(seller_id: number): Members {
    const members = { text: 'Question', status: 'DISABLED', hidden: true, date_created: utcMillis(this.#now - DAY) }
    return { item_id: this.#anyItem(seller_id), from_id: this.#inventedUser(), ...members }
  }

  #leads(): Members[] {
    return [...this.#at('loans')].map(([id, lead]) => ({
      ...{ down_payment_amount: 1000, installments_number: 12, installments_amount: 100, status: 'approved' },
      ...{ date_created: utcMillis(this.#now - DAY), ...lead, id, item_id: this.#itemOf(lead) },
      buyer_id: this.#user(lead.buyer_id ?? this.#inventedUser()),
    }))
  }

  #blocks(kind: 'blocked_buyers' | 'order_blocked_buyers'): Members[] {
    const pairs = [...this.#at(kind).keys()].map((ids) => ids.split(' ').map(Number) as [number, number])
    return pairs.map(([seller_id, buyer_id]) => ({ seller_id, buyer_id: this.#user(buyer_id) }))
  }

  #sales() {
    const seller = (one: Members) => one.seller_id ?? this.#callerOf(one)
    const sales = salesAt(this.#at, this.#now)
    const orders = sales.orders.map((order) => ({
      ...order,
      item_id: this.#itemOf(order),
      buyer_id: this.#user(order.buyer_id ?? this.#inventedUser()),
    }))
    const shipments = sales.shipments.map((one) => ({ ...one, seller_id: this.#user(seller(one)), route_open: true }))
    for (const { seller_id, buyer_id } of sales.messages) for (const id of [seller_id, buyer_id]) this.#user(id)
    for (const { status, item_id, date_closed } of orders as Members[])
      if (date_closed !== null) this.#count(this.#items.get(item_id)!.seller_id, status)
    return { ...sales, orders, shipments, order_blocked_buyers: this.#blocks('order_blocked_buyers') }
  }

  /** What the reputation of a seller counts beside the sales of the world. */
  #count(seller_id: number, status: string): void {
    const user = this.#users.get(String(seller_id)) ?? {}
    const name = status === 'cancelled' ? 'sales_canceled' : 'sales_completed'
    if (user[name] > 0) user[name]--
  }

  #subscriptions(): Members[] {
    const home = new Map<number, string>()
    const all = [...this.#at('flex_subscriptions').values()]
      .filter(({ user_id }) => user_id !== undefined)
      .map(({ origin, ...one }) => {
        // A seller's first subscription starts from its own address.
        const first = home.get(one.user_id) ?? JSON.stringify(origin)
        home.set(one.user_id, first)
        return first === JSON.stringify(origin) ? one : { ...one, origin }
      })
    const withFlex = new Set(all.filter(({ mode }) => mode !== 'TURBO').map(({ user_id }) => user_id))
    // TURBO needs FLEX; a listing that was offered needs it, too, which is not seen if no call has listed subscriptions.
    const turbo = all.filter(({ mode }) => mode === 'TURBO').map(({ user_id, site_id }) => ({ user_id, site_id }))
    const offered = [...this.#items.values()]
      .filter(({ is_offered, seller_id }) => is_offered && !this.#users.get(String(seller_id))?.has_list)
      .map(({ seller_id: user_id }) => ({ user_id, site_id: undefined }))
    const lone = new Map([...offered, ...turbo].map((one) => [one.user_id, one]))
    return [...[...lone.values()].filter(({ user_id }) => !withFlex.has(user_id)), ...all]
  }

  #applications() {
    const ids = [...new Set([...this.#tokens.values()].map(({ application }) => application))]
    const tokens = [...this.#tokens].map(([token, { user_id, application }]) => ({
      ...{ user_id, token, application: ids.indexOf(application) },
    }))
    return { applications: ids.length > 0 ? ids.map((id) => ({ id })) : [{}], tokens }
  }
}
