import type { Schemas } from '../../../lib/types.ts'
import { orNull, read, worldId } from '../../world/client.ts'

export const STEPS = ['call', 'webhook', 'read', 'answer', 'recover', 'time'] as const
export type StepName = (typeof STEPS)[number]

/** What the server has seen, and what the next calls need. */
export interface Progress {
  done: Record<StepName, boolean>
  info: Schemas['ReadyWorld']
  seller: Schemas['Person'] | undefined
  /** An active listing of the seller. */
  item: Schemas['Listing'] | undefined
  /** The newest unanswered question of the seller. */
  question: Schemas['AnyQuestion'] | undefined
  setting: Schemas['NotificationSetting'] | null
  /** Webhooks are pending, and none was delivered yet. */
  isWaiting: boolean
  /** The latest refused answer. */
  refused: number | undefined
  lead: Schemas['AnyLead'] | null
}

/** What each step of the guide gets. */
export interface StepProps {
  progress: Progress
  /** Reads the progress again. */
  again(): void
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
  const [call, delivered, pending, readCall, answer, refused, items, questions, setting, found] = await Promise.all([
    calls({ status: '2xx', user }),
    read('GET /deliveries', { query: { status: 'delivered', limit: 0 }, signal }),
    read('GET /deliveries', { query: { status: 'pending', limit: 0 }, signal }),
    calls({ method: 'GET', path: '/questions/*', status: '2xx' }),
    calls({ ...answers, status: '2xx' }),
    calls({ ...answers, status: '4xx' }),
    read('GET /items', { query: { seller_id: user, status: 'active', limit: 1 }, signal }),
    read('GET /questions', { query: { seller_id: user, status: 'UNANSWERED', limit: 1 }, signal }),
    orNull(read('GET /applications/{id}/notifications', { path: { id: info.application.id }, signal })),
    lead === null ? null : orNull(read('GET /loans/{id}', { path: { id: lead }, signal })),
  ])
  return {
    ...{ info, seller, setting, lead: found },
    item: items.results[0],
    question: questions.results[0],
    refused: refused?.id,
    isWaiting: delivered.paging.total === 0 && pending.paging.total > 0,
    done: {
      call: call !== undefined,
      webhook: delivered.paging.total > 0,
      read: readCall !== undefined,
      answer: answer !== undefined,
      recover: refused !== undefined && answer !== undefined && answer.id > refused.id,
      time: found?.expired === true,
    },
  }
}
