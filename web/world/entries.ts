import type { AnyEvent, Fact, RequestEvent, Schemas } from '../../lib/types.ts'
import { MAX_ENTRIES } from './pages.ts'

export const LANES = ['outside', 'calls', 'changes', 'webhooks'] as const
/** Where an entry is shown: causes left, effects right. */
export type Lane = (typeof LANES)[number]

/** A delivery from before the page was opened: its attempts are not known, only its state. */
export type PastDelivery = { type: 'delivery' } & Schemas['ListedDelivery']
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

/** What the lists of the server have of the past. */
interface History {
  requests: Schemas['ListedRequest'][]
  controlCalls: Schemas['ControlCall'][]
  facts: Schemas['Fact'][]
  deliveries: PastDelivery[]
}

/** The past as entries, each after its cause. */
export function historyOf({ requests, controlCalls, facts, deliveries }: History): Entry[] {
  const calls = [
    ...controlCalls.map((call): AnyEvent => ({ type: 'control', ...call })),
    ...requests.map(requestEvent),
  ].map((event) => entryOf(event, 0, 0, 0)!)
  const realTimes = new Map(calls.map(({ key, realAt }) => [key, realAt]))
  // Facts and deliveries have no real time: they follow their call.
  const after = ({ cause }: Pick<Fact, 'cause'>, at: string) => realTimes.get(callKey(cause) ?? '') ?? Date.parse(at)
  const history = [
    ...calls,
    ...facts.map((fact) => entryOf({ type: 'fact', ...fact }, after(fact, fact.at), 0, 0)!),
    ...deliveries.map((delivery): Entry => {
      const { id, received } = delivery
      const realAt = after(delivery, received)
      return { key: `d${id}`, lane: 'webhooks', at: Date.parse(received), realAt, event: delivery }
    }),
  ]
  history.sort(
    (a, b) =>
      a.realAt - b.realAt ||
      LANES.indexOf(a.lane) - LANES.indexOf(b.lane) ||
      (a.event as { id: number }).id - (b.event as { id: number }).id,
  )
  return addEntries([], history)
}

/** The key of a call that is a cause; undefined if it is not known. */
export const callKey = (cause: Fact['cause']): string | undefined =>
  cause?.id == null ? undefined : `${cause.kind === 'request' ? 'r' : 'c'}${cause.id}`

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
