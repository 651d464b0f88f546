import type { Schemas } from '../../../lib/types.ts'
import { Body } from '../../parts/json.tsx'
import { visible } from '../../parts/text.ts'
import { preciseTimeOf } from '../../words/time.ts'
import { words } from '../words.ts'
import { AttemptBar } from './attempt_bar.tsx'
import { isFailed, placesOf } from './deliveries.ts'

interface AttemptsProps {
  delivery: Schemas['Delivery']
  /** Of the present setting; undefined if there is none any more. */
  numbers: Schemas['ProfileNumbers'] | undefined
}

export function Attempts({ delivery, numbers }: AttemptsProps) {
  const { tries } = delivery
  const w = words().webhooks
  return (
    <section class="stack">
      <h3>{w.attempts}</h3>
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
            <p class="mono muted">
              <bdi>{visible(attempt.url)}</bdi>
            </p>
            {attempt.error !== null && (
              <p class="bad">
                <bdi>{visible(attempt.error)}</bdi>
              </p>
            )}
            {attempt.body !== '' && (
              <details>
                <summary>{w.answer}</summary>
                <Body text={attempt.body} />
              </details>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

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
