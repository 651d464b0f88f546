import type { AnswerOf } from '../../../lib/types.ts'
import { DialogButton } from '../../parts/dialog_button.tsx'
import { Rows } from '../../parts/rows.tsx'
import { visible } from '../../parts/text.ts'
import { words as common } from '../../words/index.ts'
import { bytesOf, dateTimeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { worldId } from '../../world/client.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { DeleteWorld, EditWorld, NewWorld } from './dialogs.tsx'
import { fromNow, linkTo, nameOf, type World } from './names.ts'

interface ListProps {
  page: AnswerOf<'GET /worlds'>
  isKept: boolean
  onLimit(limit: number): void
  again(): void
}

/** All worlds of the server. Each has a console of its own. */
export function WorldList({ page, isKept, onLimit, again }: ListProps) {
  const w = words().worlds
  return (
    <section class="stack">
      <h2>
        {w.all} <span class="muted">{number(page.paging.total)}</span>
      </h2>
      <Rows label={w.all} page={page} keyOf={({ id }) => id} onLimit={onLimit}>
        {(world) => <WorldRow world={world} isKept={isKept} again={again} />}
      </Rows>
      {page.paging.total === 1 && <p class="muted">{w.onlyOne}</p>}
    </section>
  )
}

function WorldRow({ world, isKept, again }: { world: World; isKept: boolean; again(): void }) {
  const w = words().worlds
  const { id, name, bytes, clock, created_at, created_by, expires_at } = world
  const facts = [
    name && common().world(id),
    clock && `${dateTimeOf(clock.now)} ${common()[clock.mode]}`,
    bytesOf(bytes),
    created_at && w.createdBy(fromNow(created_at), visible(created_by ?? '')),
  ]
  return (
    <>
      <div>
        {id === worldId ? (
          <strong>
            <bdi>{visible(nameOf(world))}</bdi>
          </strong>
        ) : (
          <a href={linkTo(id)}>
            <bdi>{visible(nameOf(world))}</bdi>
          </a>
        )}{' '}
        {id === worldId && <span class="badge">{w.current}</span>}{' '}
        {expires_at && (
          <span class="badge" data-tone="warn">
            {w.expiresIn(fromNow(expires_at))}
          </span>
        )}
        <p class="muted">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      {canChange.value && (
        <div class="actions">
          <DialogButton
            class="small"
            title={w.fork}
            dialog={(close) => <NewWorld from={world} onClose={close} onCreated={again} />}
          />
          <DialogButton
            class="small"
            title={w.edit}
            dialog={(close) => <EditWorld world={world} onClose={close} again={again} />}
          />
          {id !== 1 && id !== worldId && (
            <DialogButton
              class="small danger"
              title={w.delete}
              dialog={(close) => <DeleteWorld world={world} isKept={isKept} onClose={close} onDeleted={again} />}
            />
          )}
        </div>
      )}
    </>
  )
}
