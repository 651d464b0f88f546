import type { AnswerOf } from '../../../lib/types.ts'
import { Show } from '../../parts/feedback.tsx'
import { Section } from '../../parts/page.tsx'
import { Badge, Marked, Status } from '../../parts/values.tsx'
import { language, number } from '../../words/words.ts'
import { useCall } from '../../world/load.ts'
import { wordsOf } from '../words.ts'
import { OperationRow, Stubs } from './stubs.tsx'

const w = wordsOf('requests')

type Covered = AnswerOf<'GET /coverage'>
type Operation = Covered['operations'][number]

/** The server reads the whole journal for it. */
const REFRESH_MS = 5000

/** Which operations the programs have used, and what they have not met yet. */
export function Coverage() {
  const loaded = useCall(
    'GET /coverage',
    { query: { lang: language.value } },
    { refreshOn: ['request', 'attempt'], refreshMs: REFRESH_MS },
  )
  return <Show loaded={loaded}>{(covered) => <Covered covered={covered} />}</Show>
}

function Covered({ covered: { operations, situations } }: { covered: Covered }) {
  const [used, unused] = [operations.filter(({ calls }) => calls > 0), operations.filter(({ calls }) => calls === 0)]
  return (
    <article class="coverage stack">
      <h2>{w.coverage}</h2>
      <p class="muted">{used.length === 0 ? w.noCalls : w.covered(used.length, operations.length)}</p>
      {situations.length > 0 && (
        <Section title={w.situations}>
          <ul class="rows">
            {situations.map(({ id, title, count, how }) => (
              <li key={id} class="stack">
                <span class="row spread">
                  <Marked text={title} />
                  <Badge tone={count > 0 ? 'good' : 'warn'}>{count > 0 ? w.met(count) : w.notMet}</Badge>
                </span>
                {count === 0 && (
                  <span class="muted">
                    <Marked text={how} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {used.length > 0 && (
        <Section title={w.usedOperations}>
          <Operations of={used} />
        </Section>
      )}
      <Stubs />
      <BuiltIn />
      <details>
        <summary>{w.unusedOperations(unused.length)}</summary>
        <Operations of={unused} />
      </details>
    </article>
  )
}

/** What mercadito answers without state, in place of stubs. */
const BuiltIn = () => (
  <Show loaded={useCall('GET /stubs/built_in', { query: { limit: 1000 } })}>
    {({ results }) => (
      <details>
        <summary>{w.builtIn(results.length)}</summary>
        <ul class="rows">
          {results.map(({ method, path, status }) => (
            <OperationRow key={`${method} ${path}`} method={method} path={path}>
              <Status code={status} />
            </OperationRow>
          ))}
        </ul>
      </details>
    )}
  </Show>
)

const Operations = ({ of }: { of: Operation[] }) => (
  <ul class="rows">
    {of.map(({ call, answers, typed }) => {
      const [method = '', path = ''] = call.split(' ')
      return (
        <OperationRow key={call} method={method} path={path}>
          {typed && <Badge>{w.withoutState}</Badge>}
          {answers.map(({ status, rule, count }) => (
            <span key={`${status} ${rule}`} title={rule ?? undefined}>
              <Status code={status} /> × {number(count)}
            </span>
          ))}
        </OperationRow>
      )
    })}
  </ul>
)
