import { Code } from '../../parts/code.tsx'
import { Skeleton } from '../../parts/feedback.tsx'
import { baseUrl } from '../../world/client.ts'
import { useOverview } from '../../world/overview.ts'
import { About } from './about.tsx'
import { Actions } from './actions.tsx'
import { Attention } from './attention.tsx'
import { Counts } from './counts.tsx'
import { Findings } from './findings.tsx'
import { words } from './words.ts'

export default function Overview() {
  const w = words()
  const world = useOverview()
  return (
    <div class="page stack overview">
      <div class="page-head">
        <h1>{w.title}</h1>
        <Actions />
      </div>
      <section class="overview-address">
        <h2 class="label">{w.address}</h2>
        <Code text={baseUrl} label={w.address} />
      </section>
      {world ? (
        <>
          <Attention world={world} />
          <Findings />
          <Counts world={world} />
          <About world={world} />
        </>
      ) : (
        <Skeleton />
      )}
    </div>
  )
}
