import type { AnyEvent } from '../../../lib/types.ts'
import { visible } from '../../parts/values.tsx'
import { type Entry, idIn, type PastDelivery } from '../../world/entries.ts'
import { causeOf } from '../../world/timeline.ts'
import { wordsOf } from '../words.ts'

const w = wordsOf('live')

/** What events are about, by topic; topics without a name are shown as they are. */
export function subjectName(topic: string): string {
  const names: Record<string, string> = {
    questions: w.question,
    items: w.listing,
    items_prices: w.listing,
    orders_v2: w.order,
    payments: w.payment,
    orders_feedback: w.feedback,
    shipments: w.shipment,
    messages: w.message,
    post_purchase: w.claim,
    // The old name of the same.
    claims: `${w.claim} (claims)`,
    'leads-credits': w.credit,
    'flex-handshakes': w.flex,
  }
  return names[topic] ?? topic
}

/** `/questions/13000002373` as "Question …2373". */
export function objectOf({ topic, resource }: { topic: string; resource: string }): string {
  const id = idIn(resource)
  return `${subjectName(topic)} ${visible(id.length > 6 ? `…${id.slice(-4)}` : id)}`
}

/** What calls do to resources of their own; any other change has no name. */
const VERBS: [call: RegExp, topic: RegExp, verb: 'posed' | 'made' | 'answered' | 'deleted' | 'opened'][] = [
  [/^POST \/questions$/, /^questions$/, 'posed'],
  [/^POST \/answers/, /^questions$/, 'answered'],
  [/^DELETE \/questions\//, /^questions$/, 'deleted'],
  [/^POST \/items$/, /^items$/, 'made'],
  [/^POST \/loans$/, /^leads-credits$/, 'made'],
  [/^POST \/claims$/, /^(post_purchase|claims)$/, 'opened'],
]
/** Of messages, whatever has caused them. */
const ACTIONS: Record<string, 'sent' | 'seen'> = { created: 'sent', read: 'seen' }

/** Verb and object of a change; its cause says which verb. */
export function changeOf({ key, event }: Entry): string {
  if (event.type !== 'fact') return ''
  const cause: AnyEvent | PastDelivery | undefined = causeOf(key)?.event
  const call = cause && 'method' in cause ? `${cause.method} ${cause.path.split('?')[0]}` : ''
  const verb =
    ACTIONS[event.actions?.[0] ?? ''] ??
    VERBS.find(([pattern, topic]) => topic.test(event.topic) && pattern.test(call))?.[2] ??
    'changed'
  return w[verb](objectOf(event))
}
