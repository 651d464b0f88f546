import { Empty, Show } from '../../parts/feedback.tsx'
import { Split } from '../../parts/split.tsx'
import { read } from '../../world/client.ts'
import { useCall, useLoad } from '../../world/load.ts'
import { orNull } from '../../world/missing.ts'
import type { ScreenProps } from '../screen.ts'
import { words } from '../words.ts'
import { Board } from './board.tsx'
import { LeadDetail } from './detail.tsx'

/** Leads change with control calls and with time only. */
const refreshOn = ({ type }: { type: string }) => type === 'control' || type === 'clock'

/** `#/credits/ID?user=2500000201&expired=false` */
export default function Credits({ path: [id], query }: ScreenProps) {
  const w = words().credits
  const total = useCall('GET /loans', { query: { limit: 0 } }, { refreshOn })
  return (
    <Split
      heading={w.title}
      list={<Show loaded={total}>{({ paging }) => <Board query={query} open={id} total={paging.total} />}</Show>}
      title={`${w.lead} ${id}`}
      detail={id === undefined ? undefined : <Opened key={id} id={id} />}
    />
  )
}

function Opened({ id }: { id: string }) {
  const w = words().credits
  const lead = useLoad((signal) => orNull(read('GET /loans/{id}', { path: { id }, signal })), { key: id, refreshOn })
  return (
    <Show loaded={lead}>
      {(data) =>
        data === null ? <Empty icon="credits" title={w.gone} /> : <LeadDetail lead={data} again={lead.again} />
      }
    </Show>
  )
}
