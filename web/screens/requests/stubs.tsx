import type { ComponentChildren } from 'preact'
import { Show } from '../../parts/feedback.tsx'
import { ActionButtons } from '../../parts/page.tsx'
import { Badge, foreign, Method, Status } from '../../parts/values.tsx'
import { number } from '../../words/words.ts'
import { change } from '../../world/client.ts'
import { type LoadOptions, useCall } from '../../world/load.ts'
import { wordsOf } from '../words.ts'

const w = wordsOf('requests')

/** The stubs of the world, and the proposals, each with a button that accepts it. */
export function Stubs() {
  const options = { refreshOn: ['request', 'control'], refreshMs: 2000 } satisfies LoadOptions
  const loaded = useCall('GET /stubs', { query: { limit: 1000 } }, options)
  const accept = (id: number) => () =>
    change(w.accept, 'PATCH /stubs/{id}', { path: { id }, body: { proposed: false } })
  const rows = (loaded.data?.results ?? []).map(({ id, match, answer, hits, proposed }) => (
    <OperationRow key={id} method={match.method ?? '*'} path={match.path}>
      <span>
        <Status code={answer.status} /> × {number(hits)}
      </span>
      {proposed && <Badge>{w.proposed}</Badge>}
      {proposed && <ActionButtons class="small" of={[{ title: w.accept, run: accept(id) }]} />}
    </OperationRow>
  ))
  return (
    <Show loaded={loaded}>
      {() => rows.length > 0 && [<h3 key="title">Stubs</h3>, <ul key="rows" class="rows" children={rows} />]}
    </Show>
  )
}

interface OperationRowProps {
  method: string
  path: string
  children: ComponentChildren
}

/** A call in a list, and what is known of it. */
export const OperationRow = ({ method, path, children }: OperationRowProps) => (
  <li class="row spread">
    <span class="mono">
      <Method name={method} /> {foreign(path)}
    </span>
    <span class="row">{children}</span>
  </li>
)
