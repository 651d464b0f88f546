import type { RequestMade } from '../../../lib/types.ts'
import { Found } from '../../parts/feedback.tsx'
import { Body } from '../../parts/json.tsx'
import { Section } from '../../parts/page.tsx'
import { Split } from '../../parts/split.tsx'
import { FactList, foreign, Method, Status } from '../../parts/values.tsx'
import { dateTimeOf, durationOf } from '../../words/time.ts'
import { type Address, formatAddress, numberIn } from '../../world/address.ts'
import type { AfterDelivery } from '../../world/entries.ts'
import { useCall, useFound } from '../../world/load.ts'
import { wordsOf } from '../words.ts'
import { Actions, CopyRequest } from './actions.tsx'
import { Comparison } from './compare.tsx'
import { Coverage } from './coverage.tsx'
import { RequestList } from './list.tsx'
import { Why } from './why.tsx'

const w = wordsOf('requests')

/** `#/requests`, `#/requests/17`, `#/requests/17/why`, `#/requests/coverage` */
export default function Requests({ path: [id, view], query }: Address) {
  const isCoverage = id === 'coverage'
  const open = id === undefined || isCoverage ? undefined : numberIn(id)
  return (
    <Split
      list={<RequestList query={query} open={open} />}
      title={isCoverage ? w.coverage : String(open)}
      detail={
        isCoverage ? (
          <Coverage />
        ) : (
          open !== undefined && (
            <RequestDetail key={open} id={open} isExplained={view === 'why'} compared={numberIn(query.compare ?? '')} />
          )
        )
      }
    />
  )
}

interface DetailProps {
  id: number
  /** Shows why the call was answered so. */
  isExplained: boolean
  /** The number of a call that it is compared with; 0: none. */
  compared: number
}

function RequestDetail({ id, ...shown }: DetailProps) {
  const loaded = useFound(
    'GET /requests/{id}',
    { path: { id } },
    // After a restore the numbers begin again.
    { refreshOn: (event) => event.type === 'request' && event.id === id },
  )
  return (
    <Found loaded={loaded} gone={w.gone(id)} why={w.goneWhy}>
      {(request) => <Loaded request={request} {...shown} />}
    </Found>
  )
}

function Loaded({ request, isExplained, compared }: Omit<DetailProps, 'id'> & { request: RequestMade }) {
  const { id, method, path, response, world_time } = request
  return (
    <article class="request stack">
      <header>
        <p class="muted">
          #{id} · <time>{dateTimeOf(world_time)}</time> · {durationOf(response.ms)}
        </p>
        <h2 class="mono">
          <Method name={method} /> {foreign(path)} <Status code={response.status} isLong />
        </h2>
        <Actions request={request} />
      </header>
      {compared > 0 && compared !== id && <Comparison other={compared} request={request} />}
      <Why id={id} isOpen={isExplained} />
      <Consequences request={request} />
      <Sent {...request} />
      <Section title={w.answered}>
        <Body text={response.body} />
        {response.truncated && <p class="muted">{w.truncated}</p>}
      </Section>
      <CopyRequest request={request} />
    </article>
  )
}

const Sent = ({ query, headers, body, truncated, user_id, application_id, faults, stub }: RequestMade) => (
  <Section title={w.sent}>
    <FactList
      of={[
        [w.user, user_id],
        [w.application, application_id],
        [w.faults, faults.join(', ') || null],
        ['Stub', stub],
        ...Object.entries(query).map(([name, value]) => [name, [value].flat().join(', ')] as const),
      ]}
    />
    <details>
      <summary>{w.headers}</summary>
      <div class="mono">
        <FactList of={Object.entries(headers)} />
      </div>
    </details>
    <Body text={body} />
    {truncated && <p class="muted">{w.truncated}</p>}
  </Section>
)

/** Where the call comes from and what it changed. */
function Consequences({ request }: { request: RequestMade & AfterDelivery }) {
  const { id, after_delivery: after, changes } = request
  const marks = useCall('GET /requests', { query: { limit: 0 } }).data?.marks
  if (!marks) return null
  /** The numbers of its changes mean others now. */
  const isFormer = id <= (marks.at(-1)?.after ?? 0)
  return (
    <FactList
      of={[
        [
          w.causedBy,
          after && (
            <>
              <a href={formatAddress('webhooks', [after.id])}>{w.attemptOf(after.n, after.id)}</a>{' '}
              {after.inferred && <small class="muted">({w.inferredHint})</small>}
            </>
          ),
        ],
        [
          w.effects,
          changes.length > 0 ? (
            <span class="row">
              {isFormer
                ? w.formerChanges(changes.length)
                : changes.slice(0, 10).map((fact) => (
                    <a key={fact} href={formatAddress('live', [], { pick: `f${fact}` })}>
                      {w.change(fact)}
                    </a>
                  ))}
            </span>
          ) : null,
        ],
      ]}
    />
  )
}
