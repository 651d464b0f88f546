import type { Schemas } from './operations.ts'

export type Topic = Schemas['NotificationSetting']['topics'][number]

/** A change in a world, whether it is notified or not. */
export interface Fact {
  type: 'fact'
  /** Increases; use it as `last_event_id`. */
  id: number
  topic: Topic
  resource: string
  /** What has happened to it; for some topics only. */
  actions?: string[]
  /** The users concerned. */
  users: number[]
  /** World time. */
  at: string
  /** Real time; null if an older version stored it. */
  real_at: string | null
  /** The call that caused it; null if it is not known, `id` null until the call is recorded. */
  cause: Cause | null
}
/** A recorded request, or a control call. */
export interface Cause {
  kind: 'request' | 'control'
  id: number | null
}
/** A finished attempt to deliver a notification. */
export interface Attempt {
  type: 'attempt'
  delivery_id: number
  application_id: number
  user_id: number
  topic: Topic
  resource: string
  status: Schemas['ListedDelivery']['status']
  /** Number of the attempt, from 1. */
  n: number
  /** Duration in real time. */
  ms: number
  /** null: no answer. */
  http_code: number | null
  error: string | null
  /** World time. */
  sent: string
  /** Real time; null if an older version stored it. */
  real_sent: string | null
  /** Time limit; null if the application has no setting any more. */
  limit_ms: number | null
  /** Negative if the answer came too late. */
  left_ms: number | null
  /** Id of the fact that it notifies of. */
  fact_id: number
}
/** A topic was switched off for an application, which missed too many notifications in a row. */
export interface TopicOff {
  type: 'topic_off'
  application_id: number
  topic: Topic
  /** World time. */
  since: string
}
/** A recorded call of the emulated API. */
export interface RequestEvent {
  type: 'request'
  id: number
  /** World time of the answer. */
  at: string
  /** Real time at which it arrived. */
  real_at: string
  method: string
  /** With the query, decoded. */
  path: string
  /** null: no answer. */
  status: number | null
  /** Duration in real time. */
  ms: number
  user_id: number | null
  application_id: number | null
  /** Ids of the fault rules that were applied. */
  faults: number[]
  /** Id of the stub that answered it; null: the API itself. */
  stub: number | null
  /** Of the answer of a list; null for others. */
  found: { shown: number; total: number } | null
  /** Ids of the facts that it caused. */
  changes: number[]
}
/** A control call that may have changed the world. */
export interface ControlEvent {
  type: 'control'
  id: number
  method: string
  path: string
  /** Who made it, such as `mercadito reset`, `console`; null: another program. */
  by: string | null
  status: number
  /** Duration in real time. */
  ms: number
  /** World time of the answer. */
  at: string
  /** Real time at which it arrived. */
  real_at: string
  /** Ids of the facts that it caused. */
  changes: number[]
}
/** The clock was changed. */
export interface ClockEvent {
  type: 'clock'
  mode: Schemas['Clock']['mode']
  /** World time. */
  now: string
  before: string
  cause: Cause | null
}
/** Contacts of a listing, summed for a second. */
export interface ContactEvent {
  type: 'contact'
  item_id: string
  /** The seller. */
  user_id: number
  phone_views: number
  messaging_clicks: number
  questions: number
}
/** The state of the world was replaced or removed; the stream ends. */
export interface WorldEvent {
  type: 'world'
  change: 'reset' | 'restore' | 'load' | 'undo' | 'deleted'
  /** Of the snapshot. */
  name?: string
}
/** Events between two ids are no longer stored. */
export interface Gap {
  type: 'gap'
  /** The kind of the events; absent for facts. */
  kind?: 'request' | 'control' | 'clock' | 'contact'
  after: number
  first: number
}
/** What a stream sends by default. */
export type Event = Fact | Attempt | TopicOff
/** What a stream sends if `kinds` says so. */
export type AnyEvent = Event | RequestEvent | ControlEvent | ClockEvent | ContactEvent | WorldEvent | Gap
