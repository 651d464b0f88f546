import type { AnswerOf } from '../../../lib/types.ts'
import { number } from '../../words/words.ts'
import { words } from './words.ts'

type World = AnswerOf<'GET /overview'>

/** The world in numbers; each leads to its screen. */
export function Counts({ world }: { world: World }) {
  const w = words()
  const { requests, questions, deliveries, contacts, loans, flex, items, users, snapshots } = world
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0)
  const tiles: [title: string, total: number, detail: string, href: string][] = [
    [w.requests, requests.total, statusesOf(requests.by_status), '#/requests'],
    [w.deliveries, deliveries.by_status.delivered, w.pendingDeliveries(deliveries.by_status.pending), '#/webhooks'],
    [
      w.questions,
      questions.by_status.UNANSWERED,
      w.ofQuestions(sum(questions.by_status)),
      '#/questions?status=UNANSWERED',
    ],
    [w.contacts, sum(contacts), w.contactsDetail(contacts.phone_views, contacts.messaging_clicks), '#/statistics'],
    [w.loans, loans.by_status.in_analysis, w.loansDetail(loans.by_status.approved, loans.expired), '#/credits'],
    [w.flex, flex.by_status.in, w.flexDetail(flex.by_status.out, flex.by_status.pending), '#/flex'],
    [w.items, items, w.users(users), '#/live'],
    [w.snapshots, snapshots, '', '#/worlds'],
  ]
  return (
    <ul class="tiles">
      {tiles.map(([title, total, detail, href]) => (
        <li key={title}>
          <a class="card tile" href={href}>
            <span>{title}</span>
            <strong>{number(total)}</strong>
            <span class="muted">{detail}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** `5 × 2xx, 1 × 4xx` */
const statusesOf = (counts: World['requests']['by_status']): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${number(count)} × ${status === 'none' ? '–' : status}`)
    .join(', ')
