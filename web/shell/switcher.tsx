import { useState } from 'preact/hooks'
import type { Schemas } from '../../lib/types.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Show } from '../parts/feedback.tsx'
import { foreign } from '../parts/values.tsx'
import { words as w } from '../words/index.ts'
import { distanceOf } from '../words/time.ts'
import { basePath, consoleOf, formatAddress } from '../world/address.ts'
import { worldId } from '../world/client.ts'
import { useCall } from '../world/load.ts'
import { address } from '../world/navigation.ts'
import { overview } from '../world/overview.ts'

/** The name of the world; it opens the list of all worlds. */
export function Switcher() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="chip" aria-haspopup="dialog" title={w.switchWorld} onClick={() => setOpen(true)}>
        {foreign(overview.value?.world.name ?? w.world(worldId))}
      </button>
      {isOpen && <Worlds onClose={() => setOpen(false)} />}
    </>
  )
}

type World = Schemas['ListedWorld']

const nameOf = ({ id, name }: World): string => name ?? w.world(id)

function Worlds({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('')
  const loaded = useCall('GET /worlds', { query: { limit: 1000 } })
  const wanted = text.trim().toLowerCase()
  const found = byUse(loaded.data?.results ?? []).filter((world) =>
    `${world.id} ${nameOf(world)}`.toLowerCase().includes(wanted),
  )
  return (
    <Dialog title={w.switchWorld} class="palette" onClose={onClose}>
      <input
        type="search"
        aria-label={w.filter}
        placeholder={w.switchWorld}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Enter' && found[0] && location.assign(hrefOf(found[0].id))}
      />
      <Show loaded={loaded}>
        {() =>
          found.length === 0 ? (
            <p class="muted palette-none">{w.nothingFound}</p>
          ) : (
            <ul class="switcher">
              {found.map((world) => (
                <li key={world.id}>
                  <WorldLink world={world} onClose={onClose} />
                </li>
              ))}
            </ul>
          )
        }
      </Show>
      <p class="palette-none">
        <a href={formatAddress('worlds')} onClick={onClose}>
          {w.allWorlds}
        </a>
      </p>
    </Dialog>
  )
}

/** Those that were used last come first, and the one of this page after them: nobody goes there. */
const byUse = (worlds: World[]): World[] =>
  worlds.toSorted(
    (a, b) => Number(a.id === worldId) - Number(b.id === worldId) || (b.used_at ?? '').localeCompare(a.used_at ?? ''),
  )

/** The same screen in the console of another world. */
const hrefOf = (id: number): string =>
  `${consoleOf(basePath(location.pathname), id)}${formatAddress(address.peek().screen)}`

const WorldLink = ({ world, onClose }: { world: World; onClose(): void }) => (
  <a href={hrefOf(world.id)} aria-current={world.id === worldId ? 'true' : undefined} onClick={onClose}>
    {foreign(nameOf(world))}{' '}
    <span class="muted">
      {[world.name && w.world(world.id), world.used_at && distanceOf(Date.parse(world.used_at), Date.now())]
        .filter(Boolean)
        .join(' · ')}
    </span>
  </a>
)
