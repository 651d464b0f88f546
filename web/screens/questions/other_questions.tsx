import { visible } from '../../parts/text.ts'
import { dateTimeOf } from '../../words/time.ts'
import { formatAddress } from '../../world/address.ts'
import { read } from '../../world/client.ts'
import { useLoad } from '../../world/load.ts'
import { words } from '../words.ts'
import type { Question } from './states.ts'

const MAX_SHOWN = 20

/** What else this buyer has asked this seller. */
export function OtherQuestions({ question: { id, from, seller_id } }: { question: Question }) {
  const { data } = useLoad(async (signal) => {
    const query = { from: from.id, seller_id, limit: MAX_SHOWN + 1 }
    const { results } = await read('GET /questions', { query, signal })
    return results.filter((one) => one.id !== id).slice(0, MAX_SHOWN)
  })
  const w = words().questions
  if (!data || data.length === 0) return null
  return (
    <section>
      <h3>{w.others}</h3>
      <ul class="other-questions">
        {data.map((one) => (
          <li key={one.id}>
            <a href={formatAddress('questions', [one.id])}>
              <bdi>{one.text ? visible(one.text.slice(0, 200)) : w.erased}</bdi>
            </a>{' '}
            <span class="muted">
              {w[one.status]} · <time>{dateTimeOf(one.date_created)}</time>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
