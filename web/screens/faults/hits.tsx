import { Show } from '../../parts/feedback.tsx'
import { Section } from '../../parts/page.tsx'
import { foreign, Method } from '../../parts/values.tsx'
import { localTimeOf } from '../../words/time.ts'
import { formatAddress } from '../../world/address.ts'
import { useCall } from '../../world/load.ts'
import { wordsOf } from '../words.ts'

const w = wordsOf('faults')

const LIMIT = 20

/** The last calls to which a rule was applied. */
export function Hits({ rule }: { rule: number }) {
  const loaded = useCall(
    'GET /requests',
    { query: { fault: rule, order: 'desc', limit: LIMIT, bodies: 'false' } },
    { refreshOn: (event) => event.type === 'request' && event.faults.includes(rule) },
  )
  return (
    <Section title={w.lastHits}>
      <Show loaded={loaded}>
        {({ results }) =>
          results.length === 0 ? (
            <p class="muted">{w.noHits}</p>
          ) : (
            <ul class="rows" aria-label={w.lastHits}>
              {results.map(({ id, at, method, path, response: { status } }) => (
                <li key={id}>
                  <a class="mono" href={formatAddress('requests', [id])}>
                    <Method name={method} /> {foreign(path)}
                  </a>
                  <span class="muted">
                    {status ?? '—'} · <time dateTime={at}>{localTimeOf(Date.parse(at))}</time>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </Section>
  )
}
