import type { AnyEvent, Attempt, Fact, RequestEvent, Schemas } from '../../lib/types.ts'
import { MAX_ENTRIES } from './pages.ts'

export const LANES = ['outside', 'calls', 'changes', 'webhooks'] as const
/** Where an entry is shown: causes left, effects right. */
export type Lane = (typeof LANES)[number]

/** A delivery from before the page was opened: its attempts are not known, only its state. */
export type PastDelivery = { type: 'delivery'; fact_id?: number | null } & Schemas['ListedDelivery']
type Shown = Exclude<AnyEvent, { type: 'gap' | 'world' }> | PastDelivery

/** Something that happened, as one cell of the timeline. */
export interface Entry {
  /** `r17` request, `c5` control call, `f41` change, `a83.1` attempt, `d83` past delivery; others by a serial number. */
  key: string
  lane: Lane
  /** World time, ms. */
  at: number
  /** Real time, ms: of the server, or when the browser received it. */
  realAt: number
  event: Shown
}

/** The kinds of entries that are read from lists when the page opens. */
export type AfterDelivery = { after_delivery?: { id: number; n: number; inferred?: boolean } | null }

/** An event as an entry; undefined if it is not shown. */
export function entryOf(event: AnyEvent, realNow: number, worldNow: number, serial: number): Entry | undefined {
  const entry = (key: string, lane: Lane, at: string | undefined, realAt = realNow): Entry => ({
    key,
    lane,
    at: at === undefined ? worldNow : Date.parse(at),
    realAt,
    event: event as Shown,
  })
  switch (event.type) {
    case 'request':
      return entry(`r${event.id}`, 'calls', event.at, Date.parse(event.real_at))
    case 'control':
      return entry(`c${event.id}`, 'outside', event.at, Date.parse(event.real_at))
    case 'clock':
      // The control call that moved it is shown.
      return event.cause ? undefined : entry(`k${serial}`, 'outside', event.now)
    case 'fact':
      return entry(`f${event.id}`, 'changes', event.at)
    case 'attempt':
      return entry(`a${event.delivery_id}.${event.n}`, 'webhooks', event.sent)
    case 'contact':
      return entry(`k${serial}`, 'outside', undefined)
    case 'topic_off':
      return entry(`k${serial}`, 'webhooks', event.since)
    default:
      return undefined
  }
}

/** Entries with new ones after them; an entry that is known is replaced. The oldest are dropped. */
export function addEntries(entries: Entry[], added: Entry[]): Entry[] {
  if (added.length === 0) return entries
  const byKey = new Map([...entries, ...added].map((entry) => [entry.key, entry]))
  return [...byKey.values()].slice(-MAX_ENTRIES)
}

/** Recorded calls and deliveries of the past as entries, in the order in which they happened. */
export function historyOf(requests: Schemas['ListedRequest'][], deliveries: PastDelivery[]): Entry[] {
  const callOfFact = new Map(requests.flatMap(({ id, changes = [] }) => changes.map((fact) => [fact, id])))
  const ranked: { entry: Entry; rank: number }[] = requests.map((request) => ({
    entry: {
      key: `r${request.id}`,
      lane: 'calls',
      at: Date.parse(request.world_time),
      realAt: Date.parse(request.at),
      event: requestEvent(request),
    },
    rank: request.id,
  }))
  for (const delivery of deliveries) {
    const { id, fact_id, received, topic, resource, user_id } = delivery
    const at = Date.parse(received)
    const call = callOfFact.get(fact_id ?? Number.NaN)
    // Facts have no real time: they follow their call.
    const realAt = ranked.find(({ entry }) => entry.key === `r${call}`)?.entry.realAt ?? at
    const fact: Fact = { type: 'fact', id: fact_id ?? 0, topic, resource, users: [user_id], at: received, cause: null }
    if (fact_id != null)
      ranked.push({ entry: { key: `f${fact_id}`, lane: 'changes', at, realAt, event: fact }, rank: (call ?? -1) + 0.1 })
    ranked.push({ entry: { key: `d${id}`, lane: 'webhooks', at, realAt, event: delivery }, rank: (call ?? -1) + 0.2 })
  }
  ranked.sort((a, b) => a.entry.at - b.entry.at || a.rank - b.rank)
  return addEntries(
    [],
    ranked.map(({ entry }) => entry),
  )
}

function requestEvent(request: Schemas['ListedRequest'] & AfterDelivery): RequestEvent & AfterDelivery {
  const { at, world_time, path, query, response, ...same } = request
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => `${name}=${one}`))
  return {
    ...same,
    type: 'request',
    at: world_time,
    real_at: at,
    path: pairs.length === 0 ? path : `${path}?${pairs.join('&')}`,
    status: response.status,
    ms: response.ms,
  }
}

export const isAttempt = (event: Entry['event']): event is Attempt => event.type === 'attempt'
