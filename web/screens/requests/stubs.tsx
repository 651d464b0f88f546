import type { AnswerOf } from '../../../lib/types.ts'
import { Show } from '../../parts/feedback.tsx'
import { Method, Status } from '../../parts/status.tsx'
import { visible } from '../../parts/text.tsx'
import { attempt } from '../../parts/toasts.tsx'
import { number } from '../../words/words.ts'
import { change } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'

/** The stubs of the world, and the proposals, each with a button that accepts it. */
export function Stubs() {
  const loaded = useCall(
    'GET /stubs',
    { query: { limit: 1000 } },
    { refreshOn: ({ type }) => type === 'request' || type === 'control', refreshMs: 2000 },
  )
  return (
    <Show loaded={loaded}>
      {({ results }) =>
        results.length > 0 && (
          <section class="stack">
            <h3>Stubs</h3>
            <ul class="rows">
              {results.map((stub) => (
                <StubRow key={stub.id} stub={stub} again={loaded.again} />
              ))}
            </ul>
          </section>
        )
      }
    </Show>
  )
}

type Stub = AnswerOf<'GET /stubs'>['results'][number]

function StubRow({ stub: { id, match, answer, hits, proposed }, again }: { stub: Stub; again(): void }) {
  const { accept, proposed: badge } = words().requests
  const run = () =>
    attempt(() => change(accept, 'PATCH /stubs/{id}', { path: { id }, body: { proposed: false } })).then(
      again,
      () => {},
    )
  return (
    <li class="row spread">
      <span class="mono">
        <Method name={match.method ?? '*'} /> <bdi>{visible(match.path)}</bdi>
      </span>
      <span class="row">
        <span>
          <Status code={answer.status} /> × {number(hits)}
        </span>
        {proposed && <span class="badge">{badge}</span>}
        {proposed && canChange.value && (
          <button type="button" class="small" onClick={() => void run()}>
            {accept}
          </button>
        )}
      </span>
    </li>
  )
}
