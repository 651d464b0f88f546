import { useState } from 'preact/hooks'
import { Checkpoints, Compare } from '../../parts/checkpoints.tsx'
import { DialogButton } from '../../parts/dialog_button.tsx'
import { Show } from '../../parts/feedback.tsx'
import { useKeys } from '../../parts/keys.ts'
import { ReadOnly } from '../../parts/rows.tsx'
import { words as common } from '../../words/index.ts'
import { worldId } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { go } from '../../world/navigation.ts'
import type { ScreenProps } from '../screen.ts'
import { words } from '../words.ts'
import { CurrentWorld } from './current.tsx'
import { NewWorld } from './dialogs.tsx'
import { Diff } from './diff.tsx'
import { WorldList } from './list.tsx'
import { Snapshots } from './snapshots.tsx'

/** Numbers increase: the world of this page is among as many as its number says. */
const LIMIT = Math.min(1000, Math.max(50, worldId))

export default ({ path: [part], query }: ScreenProps) => (part === 'diff' ? <Diff query={query} /> : <Worlds />)

function Worlds() {
  const w = words().worlds
  const [limit, setLimit] = useState(LIMIT)
  const worlds = useCall(
    'GET /worlds',
    { query: { limit } },
    { refreshOn: ({ type }) => type === 'control' || type === 'clock' },
  )
  const server = useCall('GET /worlds/{id}', { path: { id: worldId } }).data?.world
  const isKept = server?.mode === 'kept'
  const { again } = worlds
  useKeys([{ keys: 'd', title: common().compare, run: () => go('#/worlds/diff') }])
  return (
    <div class="page stack">
      <div class="page-head">
        <h1>{w.title}</h1>
        <ReadOnly />
        <Compare />
        <DialogButton title={w.create} keys="+" dialog={(close) => <NewWorld onClose={close} onCreated={again} />} />
      </div>
      <Show loaded={worlds}>
        {(page) => {
          const current = page.results.find(({ id }) => id === worldId)
          return (
            <>
              {current && <CurrentWorld world={current} server={server} again={again} />}
              <Snapshots onChange={again} />
              <Checkpoints />
              <WorldList page={page} isKept={isKept} onLimit={setLimit} again={again} />
            </>
          )
        }}
      </Show>
    </div>
  )
}
