import type { RequestMade } from '../../../lib/types.ts'
import { FactList } from '../../parts/facts.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { Body } from '../../parts/json.tsx'
import { isRefused, Method, Status } from '../../parts/status.tsx'
import { visible } from '../../parts/text.ts'
import { words as common } from '../../words/index.ts'
import { dateTimeOf, durationOf } from '../../words/time.ts'
import { read } from '../../world/client.ts'
import { useLoad } from '../../world/load.ts'
import { orNull } from '../../world/missing.ts'
import { words } from '../words.ts'
import { Actions } from './actions.tsx'
import { Consequences } from './consequences.tsx'
import { CopyRequest } from './copy_request.tsx'
import { Why } from './why.tsx'

interface DetailProps {
  id: number
  /** Shows why the call was refused. */
  isExplained: boolean
}

export function RequestDetail({ id, isExplained }: DetailProps) {
  const w = words().requests
  const loaded = useLoad((signal) => orNull(read('GET /requests/{id}', { path: { id }, signal })), {
    // After a restore the numbers begin again.
    refreshOn: (event) => event.type === 'request' && event.id === id,
  })
  return (
    <Show loaded={loaded}>
      {(request) =>
        request ? (
          <Loaded request={request} isExplained={isExplained} />
        ) : (
          <Empty icon="requests" title={w.gone(id)}>
            <p>{w.goneWhy}</p>
          </Empty>
        )
      }
    </Show>
  )
}

function Loaded({ request, isExplained }: { request: RequestMade; isExplained: boolean }) {
  const { id, method, path, response, world_time } = request
  const w = words().requests
  return (
    <article class="request stack">
      <header>
        <p class="muted">
          #{id} · <time>{dateTimeOf(world_time)}</time> · {durationOf(response.ms)}
        </p>
        <h2 class="mono">
          <Method name={method} /> <bdi>{visible(path)}</bdi> <Status code={response.status} isLong />
        </h2>
        <Actions request={request} />
      </header>
      {isRefused(response.status) && <Why id={id} isOpen={isExplained} />}
      <Consequences request={request} />
      <Sent request={request} />
      <section class="stack">
        <h3>{w.answered}</h3>
        <Body text={response.body} />
        {response.truncated && <p class="muted">{common().truncated}</p>}
      </section>
      <CopyRequest request={request} />
    </article>
  )
}

function Sent({
  request: { query, headers, body, truncated, user_id, application_id, faults, stub },
}: {
  request: RequestMade
}) {
  const w = words().requests
  return (
    <section class="stack">
      <h3>{w.sent}</h3>
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
      {truncated && <p class="muted">{common().truncated}</p>}
    </section>
  )
}
