import { DialogButton } from '../../parts/dialog.tsx'
import { Show } from '../../parts/feedback.tsx'
import { useKeys } from '../../parts/keys.ts'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Compare } from '../../parts/undo.tsx'
import { Badge, foreign, visible } from '../../parts/values.tsx'
import { bytesOf, dateTimeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import type { Address } from '../../world/address.ts'
import { worldId } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { go } from '../../world/navigation.ts'
import { useWhole } from '../../world/use_pages.ts'
import { wordsOf } from '../words.ts'
import { CurrentWorld } from './current.tsx'
import { DeleteButton, EditWorld, fromNow, linkTo, NewWorld, nameOf, type World } from './dialogs.tsx'
import { Diff } from './diff.tsx'
import { Snapshots } from './snapshots.tsx'

const w = wordsOf('worlds')

/** Numbers increase: the world of this page is among as many as its number says. */
const LIMIT = Math.min(1000, Math.max(50, worldId))

export default ({ path: [part], query }: Address) => (part === 'diff' ? <Diff query={query} /> : <Worlds />)

function Worlds() {
  const list = useWhole('GET /worlds', {}, { first: LIMIT, refreshOn: ['control', 'clock'] })
  const server = useCall('GET /worlds/{id}', { path: { id: worldId } }).data?.world
  useKeys([{ keys: 'd', title: w.compare, run: () => go('#/worlds/diff') }])
  const head = (
    <>
      <Compare />
      <DialogButton title={w.create} keys="+">
        <NewWorld />
      </DialogButton>
    </>
  )
  return (
    <Page head={head}>
      <Show loaded={list}>
        {({ rows, total }) => {
          const current = rows.find(({ id }) => id === worldId)
          const others = rows.filter((world) => world !== current)
          return (
            <>
              {current && <CurrentWorld world={current} server={server} />}
              <Snapshots />
              <WorldList worlds={others} total={total - 1} onMore={list.onMore} isKept={server?.mode === 'kept'} />
            </>
          )
        }}
      </Show>
    </Page>
  )
}

interface ListProps {
  worlds: World[]
  total: number
  onMore: (() => void) | undefined
  isKept: boolean
}

/** The other worlds of the server. Each has a console of its own. */
const WorldList = ({ worlds, total, onMore, isKept }: ListProps) => (
  <section class="stack">
    <h2>
      {w.otherWorlds} <span class="muted">{number(total)}</span>
    </h2>
    {total === 0 ? (
      <p class="muted">{w.onlyOne}</p>
    ) : (
      <Rows label={w.otherWorlds} rows={worlds} total={total} onMore={onMore} keyOf={({ id }) => id}>
        {(world) => <WorldRow world={world} isKept={isKept} />}
      </Rows>
    )}
  </section>
)

function WorldRow({ world, isKept }: { world: World; isKept: boolean }) {
  const { id, name, bytes, clock, created_at, created_by, expires_at } = world
  const facts = [
    name && w.world(id),
    clock && `${dateTimeOf(clock.now)} ${w[clock.mode]}`,
    bytesOf(bytes),
    created_at &&
      (created_by ? w.createdBy(fromNow(created_at), visible(created_by)) : w.createdAt(fromNow(created_at))),
  ]
  return (
    <>
      <div>
        <a href={linkTo(id)}>{foreign(nameOf(world))}</a>{' '}
        {expires_at && <Badge tone="warn">{w.expiresIn(fromNow(expires_at))}</Badge>}
        <p class="muted">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <Compare from="now" to={`world:${id}`} />
      <div class="actions">
        <DialogButton class="small" title={w.fork}>
          <NewWorld from={world} />
        </DialogButton>
        <DialogButton class="small" title={w.edit}>
          <EditWorld world={world} />
        </DialogButton>
        {id !== 1 && <DeleteButton world={world} isKept={isKept} class="small danger" />}
      </div>
    </>
  )
}
