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
  const w = words().requests
  const refreshOn = ({ type }: { type: string }) => type === 'request' || type === 'control'
  const loaded = useCall('GET /stubs', { query: { limit: 1000 } }, { refreshOn, refreshMs: 2000 })
  const accept = async (id: number) => {
    await attempt(() => change(w.accept, 'PATCH /stubs/{id}', { path: { id }, body: { proposed: false } }))
    loaded.again()
  }
  const rows = (loaded.data?.results ?? []).map(({ id, match, answer, hits, proposed }) => (
    <li key={id} class="row spread">
      <span class="mono">
        <Method name={match.method ?? '*'} /> <bdi>{visible(match.path)}</bdi>
      </span>
      <span class="row">
        <span>
          <Status code={answer.status} /> × {number(hits)}
        </span>
        {proposed && <span class="badge">{w.proposed}</span>}
        {proposed && canChange.value && (
          <button type="button" class="small" onClick={() => void accept(id).catch(() => {})}>
            {w.accept}
          </button>
        )}
      </span>
    </li>
  ))
  return (
    <Show loaded={loaded}>
      {() => rows.length > 0 && [<h3 key="title">Stubs</h3>, <ul key="rows" class="rows" children={rows} />]}
    </Show>
  )
}
