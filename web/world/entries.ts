import type {
  AnyEvent,
  ClockEvent,
  ContactEvent,
  ControlEvent,
  Event,
  Fact,
  Gap,
  RequestEvent,
  Schemas,
} from '../../lib/types.ts'
import { searchOf } from './address.ts'
import { MAX_ENTRIES } from './pages.ts'

export const LANES = ['outside', 'calls', 'changes', 'webhooks'] as const
/** Where an entry is shown: causes left, effects right. */
export type Lane = (typeof LANES)[number]

/** A delivery from before the page was opened: its attempts are not known, only its state. */
export type PastDelivery = { type: 'delivery' } & Schemas['ListedDelivery']
type Shown = Event | RequestEvent | ControlEvent | ClockEvent | ContactEvent | Gap | PastDelivery

/** Something that happened, as one cell of the timeline. */
export interface Entry {
  /** `r17` request, `c5` control call, `f41` change, `a83.1` attempt, `d83` past delivery; others by a serial number. */
  key: string
  lane: Lane
  /** World time, ms. */
  at: number
  /** Real time of the server, ms: what entries are ordered by. */
  realAt: number
  event: Shown
}

/** The kinds of entries that are read from lists when the page opens. */
export type AfterDelivery = { after_delivery?: { id: number; n: number; inferred?: boolean } | null }

/** The id in the path of what changed: its last segment with a digit. */
export const idIn = (resource: string): string => resource.split('/').findLast((part) => /\d/.test(part)) ?? ''

/** Where it is said that events are missing; those of the clock are shown by their calls. */
const GAP_LANES = {
  fact: 'changes',
  request: 'calls',
  control: 'outside',
  contact: 'outside',
  clock: undefined,
} as const

/** An event as an entry; undefined if it is not shown. Events without an instant of their own happen now. */
export function entryOf(event: AnyEvent, realNow: number, worldNow: number, serial: number): Entry | undefined {
  const entry = (key: string, lane: Lane, at: string | undefined, realAt?: string | null): Entry => ({
    key,
    lane,
    at: at === undefined ? worldNow : Date.parse(at),
    realAt: realAt == null ? realNow : Date.parse(realAt),
    event: event as Shown,
  })
  switch (event.type) {
    case 'request':
      return entry(`r${event.id}`, 'calls', event.at, event.real_at)
    case 'control':
      return entry(`c${event.id}`, 'outside', event.at, event.real_at)
    case 'clock':
      // The control call that moved it is shown.
      return event.cause ? undefined : entry(`k${serial}`, 'outside', event.now)
    case 'fact':
      return entry(`f${event.id}`, 'changes', event.at, event.real_at)
    case 'attempt':
      return entry(`a${event.delivery_id}.${event.n}`, 'webhooks', event.sent, event.real_sent)
    case 'gap': {
      const lane = GAP_LANES[event.kind ?? 'fact']
      return lane && entry(`k${serial}`, lane, undefined)
    }
    case 'contact':
      return entry(`k${serial}`, 'outside', undefined)
    case 'topic_off':
      return entry(`k${serial}`, 'webhooks', event.since)
    default:
      return undefined
  }
}

/** Entries with others among them, by real time; an entry that is known is replaced. The oldest are dropped. */
export function addEntries(entries: Entry[], added: Entry[]): Entry[] {
  if (added.length === 0) return entries
  const byKey = new Map([...entries, ...added].map((entry) => [entry.key, entry]))
  return [...byKey.values()].sort(byInstant).slice(-MAX_ENTRIES)
}

const byInstant = (a: Entry, b: Entry): number =>
  a.realAt - b.realAt || LANES.indexOf(a.lane) - LANES.indexOf(b.lane) || idOf(a) - idOf(b)
const idOf = ({ event }: Entry): number => ('id' in event ? event.id : 0)

/** The status of a call or of an attempt to notify; null: no answer, or none in time. Undefined for other entries. */
export function statusOf({ event }: Entry): number | null | undefined {
  if (event.type === 'request' || event.type === 'control') return event.status
  if (event.type === 'attempt') return event.left_ms !== null && event.left_ms < 0 ? null : event.http_code
  if (event.type === 'delivery') return { delivered: 200, missed: null }[event.status as 'missed']
  return undefined
}

export function isRefusedEntry(entry: Entry): boolean {
  const status = statusOf(entry)
  return status === null || (status !== undefined && status >= (entry.lane === 'webhooks' ? 201 : 400))
}

export const usersOf = ({ event }: Entry): number[] =>
  event.type === 'fact' ? event.users : 'user_id' in event && event.user_id !== null ? [event.user_id] : []

/** A control call that replaces the state of the world by another one. */
export const replacementOf = ({ event }: Entry): 'reset' | 'restored' | 'loaded' | 'undone' | undefined =>
  event.type !== 'control' || event.status >= 300
    ? undefined
    : REPLACEMENTS[
        `${event.method} ${event.path.replace(/^\/snapshots\/[^/]+\/restore$/, '/snapshots/{name}/restore')}`
      ]
const REPLACEMENTS: Record<string, 'reset' | 'restored' | 'loaded' | 'undone'> = {
  'POST /reset': 'reset',
  'POST /snapshots/{name}/restore': 'restored',
  'PUT /world': 'loaded',
  'POST /undo': 'undone',
}

/** What the lists of the server have of the past. */
interface History {
  requests: Schemas['ListedRequest'][]
  controlCalls: Schemas['ControlCall'][]
  facts: Schemas['Fact'][]
  deliveries: PastDelivery[]
}

/** The past as entries. What was stored without its real time, by an earlier version, comes first. */
export const historyOf = ({ requests, controlCalls, facts, deliveries }: History): Entry[] =>
  addEntries(
    deliveries.map((delivery): Entry => {
      const { id, received, real_at } = delivery
      return {
        ...{ key: `d${id}`, lane: 'webhooks', event: delivery },
        ...{ at: Date.parse(received), realAt: Date.parse(real_at ?? '') || 0 },
      }
    }),
    [
      ...controlCalls.map((call): AnyEvent => ({ type: 'control', ...call })),
      ...requests.map(requestEvent),
      ...facts.map((fact): AnyEvent => ({ type: 'fact', ...fact })),
    ].map((event) => entryOf(event, 0, 0, 0)!),
  )

/** The key of a call that is a cause; undefined if it is not known. */
export const callKey = (cause: Fact['cause']): string | undefined =>
  cause?.id == null ? undefined : `${cause.kind === 'request' ? 'r' : 'c'}${cause.id}`

function requestEvent(request: Schemas['ListedRequest'] & AfterDelivery): RequestEvent & AfterDelivery {
  const { at, world_time, path, query, response, ...same } = request
  return {
    ...same,
    type: 'request',
    at: world_time,
    real_at: at,
    path: path + searchOf(query),
    status: response.status,
    ms: response.ms,
  }
}
