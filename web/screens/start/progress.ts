import type { Schemas } from '../../../lib/types.ts'
import { timeOf } from '../../words/time.ts'
import { formatAddress } from '../../world/address.ts'
import { orNull, read, worldId } from '../../world/client.ts'

export const STEPS = ['call', 'webhook', 'read', 'answer', 'recover', 'time'] as const
export type StepName = (typeof STEPS)[number]

/** What the server has seen, and what the next calls need. */
export interface Progress {
  /** What shows that a step is done. */
  evidence: Record<StepName, Evidence | undefined>
  info: Schemas['ReadyWorld']
  seller: Schemas['Person'] | undefined
  /** An active listing of the seller. */
  item: Schemas['Listing'] | undefined
  /** The newest unanswered question of the seller. */
  question: Schemas['AnyQuestion'] | undefined
  setting: Schemas['NotificationSetting'] | undefined
  /** Webhooks are pending, and none was delivered yet. */
  isWaiting: boolean
  /** The latest refused answer. */
  refused: number | undefined
  lead: Schemas['AnyLead'] | null
}

interface Evidence {
  text: string
  href: string
}

/** What each step of the guide gets. */
export interface StepProps {
  progress: Progress
}

const LEAD_KEY = `mercadito.guide.${worldId}`

/** Remembers the lead that the guide has made, for this tab. */
export const rememberLead = (id: string): void => sessionStorage.setItem(LEAD_KEY, id)

/** Reads how far the guide is: every step is done when the server has seen it, whoever did it. */
export async function readProgress(signal: AbortSignal): Promise<Progress> {
  const info = await read('GET /worlds/{id}', { path: { id: worldId }, signal })
  const seller = info.sellers[0]
  const user = seller?.id
  const calls = async (query: Record<string, string | number | undefined>) =>
    (await read('GET /requests', { query: { bodies: 'false', order: 'desc', limit: 1, ...query }, signal })).results[0]
  const answers = { method: 'POST', path: '/answers' }
  const lead = sessionStorage.getItem(LEAD_KEY)
  const [call, delivered, pending, readCall, answer, refused, items, questions, settings, found] = await Promise.all([
    calls({ status: '2xx', user, order: 'asc' }),
    read('GET /deliveries', { query: { status: 'delivered', limit: 1 }, signal }),
    read('GET /deliveries', { query: { status: 'pending', limit: 0 }, signal }),
    calls({ method: 'GET', path: '/questions/*', status: '2xx' }),
    calls({ ...answers, status: '2xx' }),
    calls({ ...answers, status: '4xx' }),
    read('GET /items', { query: { seller_id: user, status: 'active', limit: 1 }, signal }),
    read('GET /questions', { query: { seller_id: user, status: 'UNANSWERED', limit: 1 }, signal }),
    read('GET /notifications', { query: { application_id: info.application.id }, signal }),
    lead === null ? null : orNull(read('GET /loans/{id}', { path: { id: lead }, signal })),
  ])
  return {
    ...{ info, seller, lead: found },
    setting: settings.results[0],
    item: items.results[0],
    question: questions.results[0],
    refused: refused?.id,
    isWaiting: delivered.paging.total === 0 && pending.paging.total > 0,
    evidence: {
      call: evidenceOf(call),
      webhook: evidenceOfDelivery(delivered.results[0]),
      read: evidenceOf(readCall),
      answer: evidenceOf(answer),
      recover: refused && answer && answer.id > refused.id ? evidenceOf(refused) : undefined,
      time: found?.expired
        ? { text: `${found.id} · expired: true`, href: formatAddress('credits', [found.id]) }
        : undefined,
    },
  }
}

const evidenceOf = (call: Schemas['ListedRequest'] | undefined): Evidence | undefined =>
  call && {
    text: `${call.method} ${call.path} → ${call.response.status}, ${timeOf(call.at)}`,
    href: formatAddress('requests', [call.id]),
  }

const evidenceOfDelivery = (delivery: Schemas['ListedDelivery'] | undefined): Evidence | undefined =>
  delivery && {
    text: `${delivery.topic} ${delivery.resource} → 200, ${timeOf(delivery.received)}`,
    href: formatAddress('webhooks', [delivery.id]),
  }
