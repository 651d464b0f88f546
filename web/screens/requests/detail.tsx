import type { RequestMade } from '../../../lib/types.ts'
import { Empty, Show } from '../../parts/feedback.tsx'
import { Body } from '../../parts/json.tsx'
import { Method, Status } from '../../parts/status.tsx'
import { visible } from '../../parts/text.ts'
import { words as common } from '../../words/index.ts'
import { dateTimeOf, durationOf } from '../../words/time.ts'
import { read } from '../../world/client.ts'
import { useLoad } from '../../world/load.ts'
import { orNull } from '../../world/missing.ts'
import { Actions } from './actions.tsx'
import { Consequences } from './consequences.tsx'
import { CopyRequest } from './copy_request.tsx'
import { words } from './words.ts'

export function RequestDetail({ id }: { id: number }) {
  const w = words()
  const loaded = useLoad((signal) => orNull(read('GET /requests/{id}', { path: { id }, signal })), {
    // After a restore the numbers begin again.
    refreshOn: (event) => event.type === 'request' && event.id === id,
  })
  return (
    <Show loaded={loaded}>
      {(request) =>
        request ? (
          <Loaded request={request} />
        ) : (
          <Empty icon="requests" title={w.gone(id)}>
            <p>{w.goneWhy}</p>
          </Empty>
        )
      }
    </Show>
  )
}

function Loaded({ request }: { request: RequestMade }) {
  const { id, method, path, response, world_time } = request
  const w = words()
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
  request: { query, headers, body, truncated, user_id, application_id, faults },
}: {
  request: RequestMade
}) {
  const w = words()
  return (
    <section class="stack">
      <h3>{w.sent}</h3>
      <dl class="facts">
        {user_id !== null && <Pair name={w.user} value={user_id} />}
        {application_id !== null && <Pair name={w.application} value={application_id} />}
        {faults.length > 0 && <Pair name={w.faults} value={faults.join(', ')} />}
        {Object.entries(query).map(([name, value]) => (
          <Pair key={name} name={name} value={[value].flat().join(', ')} />
        ))}
      </dl>
      <details>
        <summary>{w.headers}</summary>
        <dl class="facts mono">
          {Object.entries(headers).map(([name, value]) => (
            <Pair key={name} name={name} value={value} />
          ))}
        </dl>
      </details>
      <Body text={body} />
      {truncated && <p class="muted">{common().truncated}</p>}
    </section>
  )
}

const Pair = ({ name, value }: { name: string; value: string | number }) => (
  <div>
    <dt>
      <bdi>{visible(name)}</bdi>
    </dt>
    <dd>
      <bdi>{visible(String(value))}</bdi>
    </dd>
  </div>
)
