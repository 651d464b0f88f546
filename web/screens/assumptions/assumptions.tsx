import { Empty, Show } from '../../parts/feedback.tsx'
import { Split } from '../../parts/split.tsx'
import { useCall } from '../../world/load.ts'
import type { ScreenProps } from '../screen.ts'
import { words } from '../words.ts'
import { AssumptionDetail } from './detail.tsx'
import { AssumptionList } from './list.tsx'

/** All are in one page. */
const ALL = { query: { limit: 1000 } }

export default function Assumptions({ path: [name], query }: ScreenProps) {
  const w = words().assumptions
  const loaded = useCall('GET /assumptions', ALL, { refreshOn: ({ type }) => type === 'control' })
  const assumption = loaded.data?.results.find((one) => one.name === name)
  const detail = assumption ? (
    <AssumptionDetail key={name} assumption={assumption} again={loaded.again} />
  ) : (
    loaded.data && <Empty icon="assumptions" title={w.unknown(name ?? '')} />
  )
  return (
    <Split
      heading={w.title}
      list={<Show loaded={loaded}>{({ results }) => <AssumptionList all={results} query={query} open={name} />}</Show>}
      title={name ?? ''}
      detail={name === undefined ? undefined : detail}
    />
  )
}
