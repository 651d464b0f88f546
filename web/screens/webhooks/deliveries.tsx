import type { Operations, Schemas } from '../../../lib/types.ts'
import { CopyButton } from '../../parts/code.tsx'
import { Body } from '../../parts/json.tsx'
import { Section } from '../../parts/page.tsx'
import { FactList, foreign, Status as HttpStatus, type Tone } from '../../parts/values.tsx'
import { curl } from '../../snippets/call.ts'
import { preciseTimeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { orNull, read } from '../../world/client.ts'
import { wordsOf } from '../words.ts'

const w = wordsOf('webhooks')

export type Delivery = Schemas['ListedDelivery']
export type Attempt = Schemas['DeliveryAttempt']
export type Setting = Schemas['NotificationSetting']
export type Status = Delivery['status']
export type Topic = Delivery['topic']

export type Query = Operations['GET /deliveries']['query']
/** Members of the address that filter the list. */
export const FILTERS = ['status', 'app', 'topic', 'resource', 'q']

/** In the order of the filter, with the colour of the badge. */
export const TONES: Record<Status, Tone> = {
  pending: 'info',
  delivered: 'good',
  missed: 'bad',
  held: 'warn',
  dropped: 'plain',
  silenced: 'plain',
}
export const STATUSES = Object.keys(TONES) as Status[]
export const TOPICS: Topic[] = [
  ...(['questions', 'items', 'items_prices', 'orders_v2', 'payments', 'orders_feedback', 'shipments'] as const),
  ...(['messages', 'post_purchase', 'claims', 'leads-credits', 'flex-handshakes'] as const),
]
export const PROFILES: Setting['profile'][] = ['ideal', 'realistic', 'hostile']

export interface Subscription {
  application: Pick<Schemas['Application'], 'id' | 'name'>
  /** null: it gets no notifications. */
  setting: Setting | null
}

/** Applications beyond these are found with the filter only. */
const MAX_APPLICATIONS = 50

export async function readSubscriptions(signal: AbortSignal): Promise<Subscription[]> {
  const { results } = await read('GET /applications', { query: { limit: MAX_APPLICATIONS }, signal })
  return Promise.all(
    results.map(async (application) => ({
      application,
      setting: await orNull(read('GET /applications/{id}/notifications', { path: { id: application.id }, signal })),
    })),
  )
}

/** Whether the receiver's answer does not count as delivered. */
const isFailed = ({ http_code, error }: Attempt): boolean => http_code !== 200 || error !== null

/** Where the time limit is on the bar of an attempt; what is later ends at 1. */
const LIMIT_SHARE = 0.75
const shareOf = (ms: number, limitMs: number): number => Math.min(1, (ms / limitMs) * LIMIT_SHARE)

/** Places of attempts on a line from 0 to 1: later ones, which are far apart, move together. */
function placesOf(attemptsAt: number[]): number[] {
  const scale = (ms: number) => Math.log1p(ms / 1000)
  const last = scale(attemptsAt.at(-1) ?? 0)
  return attemptsAt.map((ms) => (last === 0 ? 0 : scale(ms) / last))
}

interface AttemptsProps {
  delivery: Schemas['Delivery']
  /** Of the present setting; undefined if there is none any more. */
  numbers: Schemas['ProfileNumbers'] | undefined
}

export function Attempts({ delivery, numbers }: AttemptsProps) {
  const { tries } = delivery
  return (
    <Section title={w.attempts}>
      {numbers && numbers.attempts_at.length > 1 && <Schedule tries={tries} attemptsAt={numbers.attempts_at} />}
      {tries.length === 0 && <p class="muted">{w.noAttempts}</p>}
      <ol class="attempts">
        {tries.map((attempt) => (
          <li key={attempt.n} class="card">
            <p class="row">
              <strong>{w.attempt(attempt.n)}</strong>
              <time>{preciseTimeOf(attempt.sent)}</time>
              <AttemptBar attempt={attempt} limitMs={numbers?.limit_ms} />
            </p>
            <p class="mono muted">{foreign(attempt.url)}</p>
            {attempt.error !== null && <p class="bad">{foreign(attempt.error)}</p>}
            <Sent attempt={attempt} />
            {attempt.body !== '' && (
              <details>
                <summary>{w.answer}</summary>
                <Body text={attempt.body} />
              </details>
            )}
          </li>
        ))}
      </ol>
    </Section>
  )
}

/** What the receiver got, to send it once more with curl. */
function Sent({ attempt: { url, request } }: { attempt: Attempt }) {
  const { headers, body } = request
  const command = curl({
    ...{ method: 'POST', url: [url], body: [body], tokenVariable: null },
    headers: { 'content-type': 'application/json' },
  })
  return (
    <details>
      <summary>{w.sent}</summary>
      <div class="stack">
        <div class="mono">
          <FactList of={Object.entries(headers)} />
        </div>
        <Body text={body} />
        {url !== INBOX && <CopyButton text={command}>{w.copyCurl}</CopyButton>}
      </div>
    </details>
  )
}

/** Nothing can be sent there from outside. */
const INBOX = 'inbox:'

/** All attempts that the setting provides for, as points; the list below says the same. */
const Schedule = ({ tries, attemptsAt }: { tries: Schemas['Delivery']['tries']; attemptsAt: number[] }) => (
  <div class="schedule" aria-hidden="true">
    {placesOf(attemptsAt).map((place, n) => {
      const made = tries[n]
      const state = made === undefined ? 'coming' : isFailed(made) ? 'failed' : 'good'
      return <i key={place} data-state={state} style={{ left: `${100 * place}%` }} />
    })}
  </div>
)

interface AttemptBarProps {
  attempt: Attempt
  /** Of the present setting; undefined if there is none any more. */
  limitMs: number | undefined
}

/** How long the receiver took, against its limit; number and mark say the same as the colour. */
export function AttemptBar({ attempt, limitMs }: AttemptBarProps) {
  const { ms, http_code } = attempt
  const isLate = limitMs !== undefined && ms >= limitMs
  return (
    <span class="attempt-bar" data-tone={isFailed(attempt) || isLate ? 'bad' : 'good'}>
      {limitMs !== undefined && (
        <span class="bar" aria-hidden="true">
          <i style={{ width: `${100 * shareOf(ms, limitMs)}%` }} />
          <b style={{ left: `${100 * LIMIT_SHARE}%` }} />
        </span>
      )}
      <span class="number">{limitMs === undefined ? `${number(ms)} ms` : w.ofLimit(number(ms), number(limitMs))}</span>
      <HttpStatus code={http_code} />
      {isLate && <span>{w.late}</span>}
    </span>
  )
}
