import { utcMillis } from '../domains/shared/instants.ts'
import { countsBySubject, planContacts } from './contact_counts.ts'
import type { Fact, Facts } from './facts.ts'
import { validElement } from './valid_element.ts'

/** A world file, and what it could not be given. */
export interface BuiltWorld {
  file: Record<string, unknown>
  /** Subjects and kinds whose contacts are not those of the recording: `item MLA1 questions`. */
  unclear: ReadonlySet<string>
  /** Whether there are listings and leads whose state is not known. */
  incomplete: { items: boolean; leads: boolean }
  /** Tokens of sellers with questions of which it is not known whether they are hidden. */
  tokensWithHidden: ReadonlySet<string>
}

const DAY = 24 * 3_600_000
/** Ids of things that are invented: no service has them. */
const INVENTED_USER = 8_999_000_000_000
const INVENTED_ITEM = 8_999_000_000
const KINDS = { questions: 'question', phone_views: 'phone_view', whatsapp: 'whatsapp' }

/** The world of a call: everything that the recording shows, as it was at call `n`, at world time `now`. */
export function buildWorld(facts: Facts, n: number, now: number): BuiltWorld {
  return new WorldBuilder(facts, n, now).build()
}

class WorldBuilder {
  readonly #now: number
  readonly #at: (kind: Parameters<Facts['at']>[0]) => Map<string, Fact>
  readonly #users = new Map<number, Fact>()
  readonly #items = new Map<string, Fact>()
  readonly #tokens: Map<string, Fact>
  #invented = 0

  constructor(facts: Facts, n: number, now: number) {
    this.#now = now
    this.#at = (kind) => new Map([...facts.at(kind, n)].filter(([, fact]) => fact.exists !== false))
    this.#tokens = new Map([...this.#at('token')].filter(([, { valid }]) => valid))
    for (const [id, fact] of this.#at('user')) this.#users.set(Number(id), fact)
    for (const [id, fact] of this.#at('item')) this.#items.set(id, { ...fact })
  }

  build(): BuiltWorld {
    for (const [name, fact] of this.#tokens) {
      this.#tokens.set(name, { ...fact, user_id: fact.user_id ?? this.#inventedUser() })
      this.#user(this.#tokens.get(name)!.user_id)
    }
    const loans = this.#leads()
    const questions = this.#questions()
    for (const item of this.#items.values()) item.seller_id = this.#user(item.seller_id ?? this.#hinted(item))
    this.#sortItems()
    const { contacts, unclear } = this.#contacts()
    const shipments = [...this.#at('shipment')].map(([id, fact]) => {
      const seller_id = this.#hinted(fact)
      return { ...fact, id: Number(id), seller_id, route_open: true }
    })
    const lists = {
      users: () => this.#usersOfFile(),
      items: () => [...this.#items].map((entry) => this.#itemOfFile(entry)),
      questions: () => questions,
      blocked_buyers: () => this.#blocks(),
      contacts: () => contacts,
      loans: () => loans,
      flex_subscriptions: () => this.#subscriptions(),
      shipments: () => shipments,
      ...this.#applications(),
    }
    // Users last: everything else may name some.
    const built = Object.entries(lists)
      .reverse()
      .map(([name, list]) => [name, list().flatMap((element) => validElement(name, element) ?? [])] as const)
    const items = [...this.#items.values()]
    return {
      file: {
        version: 1,
        clock: { mode: 'frozen', now: utcMillis(this.#now) },
        ...Object.fromEntries(built.reverse()),
      },
      unclear,
      incomplete: {
        items: items.some(({ title, status }) => title === undefined || status === undefined),
        leads: [...this.#at('lead').values()].some(({ status }) => status === undefined),
      },
      tokensWithHidden: this.#tokensWithHidden(),
    }
  }

  #tokensWithHidden(): Set<string> {
    const unclear = [...this.#at('question').values()].filter(({ hidden, status }) => hidden === undefined && status)
    const sellers = new Set(unclear.map(({ item_id }) => this.#items.get(item_id)?.seller_id))
    return new Set([...this.#tokens].filter(([, { user_id }]) => sellers.has(user_id)).map(([token]) => token))
  }

  #user(id: number): number {
    if (!this.#users.has(id)) this.#users.set(id, {})
    return id
  }

  #inventedUser = (): number => this.#user(INVENTED_USER + ++this.#invented)

  #hinted({ hint_seller }: Fact): number {
    return this.#tokens.get(hint_seller)?.user_id ?? this.#inventedUser()
  }

  /** A listing of a seller, an invented one if there is none. */
  #anyItem(seller_id: number, isFree: (id: string) => boolean = () => true): string {
    for (const [id, item] of this.#items) if (item.seller_id === seller_id && isFree(id)) return id
    const id = `${this.#siteOf(seller_id)}${INVENTED_ITEM + ++this.#invented}`
    this.#items.set(id, { seller_id, title: 'Listing', status: 'closed' })
    return id
  }

  #siteOf(user_id: number): string {
    const known = this.#users.get(user_id)?.site_id
    if (known !== undefined) return known
    for (const [id, { seller_id }] of this.#items) if (seller_id === user_id) return id.slice(0, 3)
    return 'MLA'
  }

  #usersOfFile(): Fact[] {
    return [...this.#users].map(([id, { street: address, city, state, zip_code, ...user }]) => ({
      ...{ id, nickname: `USER${id}`, site_id: this.#siteOf(id), ...user },
      address: withoutUndefined({ address, city, state, zip_code }),
    }))
  }

  /** Listings of which only the place in a list is known are as old as the list says. */
  #sortItems(): void {
    const sellers = Map.groupBy(this.#items.values(), ({ seller_id }) => seller_id)
    for (const items of sellers.values()) {
      let date = this.#now - 300 * DAY
      for (const item of items.filter((one) => one.position !== undefined).sort((a, b) => a.position - b.position)) {
        date = item.date_created === undefined ? date + 1 : Date.parse(item.date_created)
        item.date_created ??= utcMillis(date)
      }
    }
  }

  #itemOfFile([id, item]: [string, Fact]): Fact {
    const date_created = utcMillis(this.#now - 300 * DAY)
    return { ...{ id, title: 'Listing', price: 1000, date_created, site_id: id.slice(0, 3) }, ...item }
  }

  /** The listing that a question or lead is about. */
  #itemOf(fact: Fact): string {
    const seller_id = (): number => fact.seller_id ?? this.#hinted(fact)
    const item_id = fact.item_id ?? this.#anyItem(seller_id())
    const item = this.#items.get(item_id) ?? {}
    this.#items.set(item_id, item)
    item.seller_id ??= seller_id()
    return item_id
  }

  #questions(): Fact[] {
    const questions: Fact[] = [...this.#at('question')].map(([id, fact]) => {
      const { answer, ...question } = fact
      const item_id = this.#itemOf(fact)
      const from_id = this.#user(question.from_id ?? this.#inventedUser())
      // Of a hidden one only the id is known: no search finds it.
      const byDefault = question.hidden ? 'DELETED' : answer ? 'ANSWERED' : 'UNANSWERED'
      const status = question.status ?? byDefault
      const text = question.text ?? (status === 'BANNED' ? '' : 'Question')
      return { ...question, id: Number(id), item_id, from_id, status, text, ...(answer && { answer }), counted: false }
    })
    for (const [id, { has_report }] of this.#at('user'))
      if (has_report && !questions.some((question) => this.#isReported(question, Number(id))))
        questions.push(this.#reportedQuestion(Number(id)))
    return questions
  }

  /** A report exists if a question of the last 14 days counts. */
  #isReported({ item_id, date_created, status }: Fact, seller_id: number): boolean {
    const isRecent = this.#now - Date.parse(date_created) < 14 * DAY
    return isRecent && this.#items.get(item_id)?.seller_id === seller_id && status !== 'DELETED' && status !== 'BANNED'
  }

  /** No search by seller finds it. */
  #reportedQuestion(seller_id: number): Fact {
    return {
      ...{ item_id: this.#anyItem(seller_id), from_id: this.#inventedUser(), text: 'Question', status: 'DISABLED' },
      ...{ date_created: utcMillis(this.#now - DAY), hidden: true, counted: false },
    }
  }

  #leads(): Fact[] {
    return [...this.#at('lead')].map(([id, lead]) => ({
      ...{ down_payment_amount: 1000, installments_number: 12, installments_amount: 100, status: 'approved' },
      ...{ date_created: utcMillis(this.#now - DAY), ...lead, id, item_id: this.#itemOf(lead) },
      buyer_id: this.#user(lead.buyer_id ?? this.#inventedUser()),
    }))
  }

  #blocks(): Fact[] {
    return [...this.#at('block')].map(([ids, { position }]) => {
      const [seller_id, buyer_id] = ids.split(' ').map(Number) as [number, number]
      this.#user(buyer_id)
      return { seller_id, buyer_id, date_created: utcMillis(this.#now - DAY - position) }
    })
  }

  #subscriptions(): Fact[] {
    const all = [...this.#at('subscription')]
      .filter(([, { user_id }]) => user_id !== undefined)
      .map(([service, one]): Fact => ({ mode: 'FLEX', ...one, service_id: Number(service) }))
    // TURBO needs FLEX.
    const lone = all.filter(
      ({ user_id, mode }) =>
        mode === 'TURBO' && !all.some((other) => other.user_id === user_id && other.mode === 'FLEX'),
    )
    // The recording does not have the subscriptions of a seller who has offered a listing: there is one.
    const unread = [...this.#items.values()]
      .filter(({ is_offered, seller_id }) => is_offered && !this.#users.get(seller_id)?.has_list)
      .map(({ seller_id }) => seller_id as number)
      .filter((seller) => !all.some(({ user_id }) => user_id === seller))
    return [
      ...lone.map(({ user_id, site_id }) => ({ user_id, site_id, mode: 'FLEX', status: 'out' })),
      ...[...new Set(unread)].map((user_id) => ({ user_id, mode: 'FLEX', status: 'in' })),
      ...all,
    ]
  }

  #contacts(): { contacts: Fact[]; unclear: Set<string> } {
    const counts = countsBySubject(this.#at('count').values())
    const unclear = new Set<string>()
    const contacts: Fact[] = []
    const sellers = new Set([...this.#items.values()].map(({ seller_id }) => seller_id as number))
    for (const [kind, name] of Object.entries(KINDS))
      for (const seller of new Set([...sellers, ...this.#users.keys()])) {
        const items = [...this.#items].filter(([, { seller_id }]) => seller_id === seller).map(([id]) => id)
        const ofItems = new Map(
          items.flatMap((id) => (counts.has(`item ${id} ${kind}`) ? [[id, counts.get(`item ${id} ${kind}`)!]] : [])),
        )
        const ofSeller = counts.get(`user ${seller} ${kind}`) ?? []
        if (ofItems.size + ofSeller.length === 0) continue
        const rest = ofSeller.some(({ count }) => count > 0) ? this.#anyItem(seller, (id) => !ofItems.has(id)) : ''
        const plan = planContacts(ofItems, { subject: `user ${seller}`, counts: ofSeller }, rest)
        for (const subject of plan.unclear) unclear.add(`${subject} ${kind}`)
        for (const [item_id, all] of plan.contacts)
          for (const { at, count } of all) contacts.push({ kind: name, item_id, at: [utcMillis(at)], count })
      }
    return { contacts, unclear }
  }

  #applications() {
    const ids = [...new Set([...this.#tokens.values()].map(({ application }) => application as number | undefined))]
    return {
      applications: () => (ids.length > 0 ? ids : [undefined]).map((id) => withoutUndefined({ id })),
      tokens: () =>
        [...this.#tokens].map(([token, { user_id, application }]) => ({
          user_id,
          token,
          application: ids.indexOf(application),
        })),
    }
  }
}

const withoutUndefined = (members: Fact): Fact =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
