import type { World } from '../../db/world.ts'
import { contactSumsOf } from '../../domains/contacts/watch.ts'
import { type MemorySource, memorySource } from '../../domains/notifications/feed/sources.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import { presentCause } from '../../http/journal/call_cause.ts'
import type { Entry } from '../../http/journal/journal_entry.ts'
import type { Journals } from '../../http/journal/journals.ts'
import type { CallContext } from '../requests/after_delivery.ts'
import { presentControlCall } from '../requests/control_calls.ts'
import { presentConsequences, redactedAddress } from '../requests/schemas.ts'
import { type ClockChange, clockChangesOf } from '../worlds/clock_changes.ts'

export const EVENT_KINDS = ['fact', 'attempt', 'topic_off', 'request', 'control', 'clock', 'world', 'contact'] as const
export type EventKind = (typeof EVENT_KINDS)[number]
/** What a stream sends if it does not say. */
export const DEFAULT_KINDS: readonly EventKind[] = ['fact', 'attempt', 'topic_off']

/** The kinds that are read from memory, of a world from now on. */
export function memorySources(
  { generation }: World,
  kinds: ReadonlySet<EventKind>,
  journals: Journals,
): MemorySource[] {
  const { control, requests } = journals.of(generation)
  const sources: MemorySource[] = []
  if (kinds.has('control')) sources.push(memorySource('control', control, presentControlCall))
  if (kinds.has('clock')) sources.push(memorySource('clock', clockChangesOf(generation), presentClockChange))
  if (kinds.has('request'))
    sources.push(memorySource('request', requests, (entry) => presentRequestEvent({ generation, requests }, entry)))
  if (kinds.has('contact')) sources.push(memorySource('contact', contactSumsOf(generation), (sum) => sum))
  return sources
}

const presentRequestEvent = (context: CallContext, entry: Entry) => ({
  id: entry.id,
  at: utcMillis(entry.world_time),
  real_at: utcMillis(entry.at),
  method: entry.method,
  path: redactedAddress(entry),
  status: entry.status,
  ms: entry.ms,
  user_id: entry.user_id,
  application_id: entry.application_id,
  faults: entry.fault_ids,
  stub: entry.stub_id,
  ...presentConsequences(context, entry),
})

const presentClockChange = ({ mode, now, before, cause }: ClockChange) => ({
  mode,
  now: utcMillis(now),
  before: utcMillis(before),
  cause: presentCause(cause),
})
