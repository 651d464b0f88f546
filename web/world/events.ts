import type { Attempt, Fact, TopicOff } from '../../lib/types.ts'

/** What caused a change, a delivery or an attempt; null if the server does not know it any more. */
export type Cause = { kind: 'request' | 'control' | 'clock'; id: number | null } | null

/** A call of the emulated API, without headers and bodies. */
export interface RequestEvent {
  type: 'request'
  id: number
  /** World time. */
  at: string
  real_at: string
  method: string
  /** With its query, without secrets. */
  path: string
  /** null: the connection was closed without an answer. */
  status: number | null
  ms: number
  user_id: number | null
  application_id: number | null
  faults: number[]
  /** Ids of the facts that it caused. */
  changes: number[]
  after_delivery: { id: number; n: number; inferred: boolean } | null
}
/** A control call that changed something. */
export interface ControlEvent {
  type: 'control'
  id: number
  method: string
  path: string
  status: number
  ms: number
  at: string
  real_at: string
}
export interface ClockEvent {
  type: 'clock'
  mode: 'real' | 'shifted' | 'frozen'
  now: string
  before: string
}
/** The state of the world was replaced; the stream ends. */
export interface WorldEvent {
  type: 'world'
  change: 'reset' | 'restore' | 'load' | 'undo' | 'deleted'
  name?: string
}
export interface ContactEvent {
  type: 'contact'
  item_id: string
  user_id: number
  phone_views?: number
  messaging_clicks?: number
  questions?: number
}
/** Some events are no longer stored. */
export interface GapEvent {
  type: 'gap'
  kind?: string
  after: number
  first: number
}
export type FactEvent = Fact & { cause?: Cause }
export type AttemptEvent = Attempt & { fact_id?: number | null }
export type StreamEvent =
  | FactEvent
  | AttemptEvent
  | TopicOff
  | RequestEvent
  | ControlEvent
  | ClockEvent
  | WorldEvent
  | ContactEvent
  | GapEvent

export const EVENT_KINDS = 'fact,attempt,topic_off,request,control,clock,world,contact'
