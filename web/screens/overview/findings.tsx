import type { AnswerOf } from '../../../lib/types.ts'
import { Button } from '../../parts/button.tsx'
import { Show } from '../../parts/feedback.tsx'
import { Badge, FactList, Marked } from '../../parts/values.tsx'
import { language, number } from '../../words/words.ts'
import { formatAddress } from '../../world/address.ts'
import { useCall } from '../../world/load.ts'
import { words as w } from './words.ts'

type Audit = AnswerOf<'GET /audit'>
type Finding = Audit['findings'][number]

/** The server reads the whole journal for it. */
const REFRESH_MS = 5000

/** What a reviewer would say about the programs that use the world. */
export function Findings() {
  const loaded = useCall(
    'GET /audit',
    { query: { lang: language.value } },
    { refreshOn: ['request', 'attempt'], refreshMs: REFRESH_MS },
  )
  return <Show loaded={loaded}>{(audit) => <Review audit={audit} again={loaded.again} />}</Show>
}

function Review({ audit: { audited, findings, unknown, checks }, again }: { audit: Audit; again(): void }) {
  const { requests, deliveries } = audited
  if (requests + deliveries === 0) return null
  return (
    <section>
      <div class="row spread">
        <h2 class="label">{w.findings}</h2>
        <span class="row">
          <a href={formatAddress('requests', ['coverage'])}>{w.coverage}</a>
          <Button class="small plain" title={w.review} run={again} />
        </span>
      </div>
      <ul class="findings">
        {findings.map((finding) => (
          <li key={finding.id} class="card">
            <FindingDetails finding={finding} />
          </li>
        ))}
        <li class="card">
          <details>
            <summary>
              {findings.length === 0 && <strong data-tone="good">{w.noFindings} </strong>}
              <span class="muted">{w.reviewed(checks.length, requests, deliveries)}</span>
            </summary>
            <ul>
              {checks.map(({ id, title }) => (
                <li key={id}>
                  <Marked text={title} />
                </li>
              ))}
            </ul>
          </details>
          {unknown.map(({ id, text }) => (
            <p key={id} class="muted">
              {text}
            </p>
          ))}
        </li>
      </ul>
    </section>
  )
}

const TONES = { error: 'bad', warn: 'warn', info: 'info' } as const

const FindingDetails = ({ finding: { severity, title, why, fix, evidence } }: { finding: Finding }) => (
  <details>
    <summary>
      <Badge tone={TONES[severity]}>{w[severity]}</Badge>{' '}
      <strong>
        <Marked text={title} />
      </strong>{' '}
      <span class="muted">× {number(evidence.count)}</span>
    </summary>
    <FactList
      of={[
        [w.matters, <Marked text={why} />],
        [w.toDo, <Marked text={fix} />],
        [w.subjects, evidence.subjects.join(', ') || null],
        [w.requests, links('requests', evidence.requests)],
        [w.webhooks, links('webhooks', evidence.deliveries)],
      ]}
    />
  </details>
)

const links = (screen: string, ids: number[]) =>
  ids.length === 0 ? null : (
    <span class="row">
      {ids.map((id) => (
        <a key={id} href={formatAddress(screen, [id])}>
          #{id}
        </a>
      ))}
    </span>
  )
