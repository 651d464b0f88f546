import type { Schemas } from './operations.ts'

export type Topic = Schemas['NotificationSetting']['topics'][number]

/** A change in a world, whether it is notified or not. */
export type Fact = { type: 'fact' } & Schemas['Fact']
/** A recorded request, or a control call. */
export type Cause = NonNullable<Schemas['ListedDelivery']['cause']>
/** A finished attempt to deliver a notification. */
export interface Attempt
  extends Pick<Schemas['ListedDelivery'], 'application_id' | 'user_id' | 'topic' | 'resource' | 'status' | 'fact_id'> {
  type: 'attempt'
  delivery_id: number
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
export interface RequestEvent
  extends Pick<
    Schemas['ListedRequest'],
    'id' | 'method' | 'user_id' | 'application_id' | 'faults' | 'stub' | 'found' | 'changes'
  > {
  type: 'request'
  /** World time of the answer. */
  at: string
  /** Real time at which it arrived. */
  real_at: string
  /** With the query, decoded. */
  path: string
  /** null: no answer. */
  status: number | null
  /** Duration in real time. */
  ms: number
}
/** A control call that may have changed the world. */
export type ControlEvent = { type: 'control' } & Schemas['ControlCall']
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
