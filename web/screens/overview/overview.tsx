import type { Schemas } from '../../../lib/types.ts'
import { Code } from '../../parts/code.tsx'
import { Show } from '../../parts/feedback.tsx'
import { baseUrl } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { About } from './about.tsx'
import { Actions } from './actions.tsx'
import { Attention } from './attention.tsx'
import { Counts } from './counts.tsx'
import { words } from './words.ts'

/** The answer of GET /overview. */
export type World = Schemas['Overview']

export default function Overview() {
  const w = words()
  const loaded = useCall('GET /overview', {}, { refreshOn: () => true })
  return (
    <div class="page stack overview">
      <div class="page-head">
        <h1>{w.title}</h1>
        <Actions />
      </div>
      <Show loaded={loaded}>
        {(world) => (
          <>
            <section class="overview-address">
              <h2 class="label">{w.address}</h2>
              <Code text={baseUrl} label={w.address} />
            </section>
            <Attention world={world} />
            <Counts world={world} />
            <About world={world} />
          </>
        )}
      </Show>
    </div>
  )
}
