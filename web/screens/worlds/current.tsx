import type { Schemas } from '../../../lib/types.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { DialogButton } from '../../parts/dialog_button.tsx'
import { FactList } from '../../parts/facts.tsx'
import { Check, type Values } from '../../parts/form.tsx'
import { visible } from '../../parts/text.ts'
import { attempt, notify } from '../../parts/toasts.tsx'
import { words as common } from '../../words/index.ts'
import { bytesOf, dateTimeOf } from '../../words/time.ts'
import { change } from '../../world/client.ts'
import { clock, worldNow } from '../../world/clock.ts'
import { download } from '../../world/files.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { DeleteWorld, EditWorld, NewWorld } from './dialogs.tsx'
import { LoadFile } from './load_file.tsx'
import { fromNow, linkTo, nameOf, type World } from './names.ts'

interface CurrentProps {
  world: World
  server: Schemas['ReadyWorld']['world'] | undefined
  again(): void
}

/** The world of this page. */
export function CurrentWorld({ world, server, again }: CurrentProps) {
  const w = words().worlds
  const { url, bytes, created_at, created_by, expires_at } = world
  const now = worldNow.value
  const mode = clock.value?.mode
  return (
    <section class="card stack" aria-labelledby="this-world">
      <h2 id="this-world">
        <bdi>{visible(nameOf(world))}</bdi> <span class="badge">{w.current}</span>
      </h2>
      <FactList
        of={[
          [w.address, url],
          [w.clock, now !== undefined && mode ? `${dateTimeOf(now)} · ${common()[mode]}` : null],
          [w.size, bytesOf(bytes)],
          [w.created, created_at && [fromNow(created_at), created_by].filter(Boolean).join(' · ')],
          [w.expires, expires_at && fromNow(expires_at)],
          [w.stored, server && (server.mode === 'temporary' ? w.temporary : (server.data ?? common().shared))],
        ]}
      />
      {canChange.value && (
        <Actions world={world} isKept={server !== undefined && server.mode !== 'temporary'} again={again} />
      )}
    </section>
  )
}

function Actions({ world, isKept, again }: { world: World; isKept: boolean; again(): void }) {
  const w = words().worlds
  const name = nameOf(world)
  const typed = isKept ? name : undefined
  const save = () =>
    attempt(() => download('GET /world', `mercadito-${world.id}.json`)).then(
      () => notify(w.downloaded),
      () => {},
    )
  const reset = async ({ keep }: Values) => {
    await change(w.reset, 'POST /reset', { body: { keep_requests: keep !== undefined } })
    notify(w.resetDone)
    again()
  }
  return (
    <div class="actions">
      <DialogButton title={w.fork} dialog={(close) => <NewWorld from={world} onClose={close} onCreated={again} />} />
      <DialogButton title={w.edit} dialog={(close) => <EditWorld world={world} onClose={close} again={again} />} />
      <button type="button" onClick={save}>
        {w.download}
      </button>
      <DialogButton
        title={w.load}
        dialog={(close) => <LoadFile name={name} typed={typed} onClose={close} again={again} />}
      />
      <DialogButton
        title={w.reset}
        class="danger"
        dialog={(close) => (
          <Confirm title={w.resetTitle(visible(name))} action={w.reset} typed={typed} onConfirm={reset} onClose={close}>
            <p>{w.resetLoss}</p>
            <Check label={w.keepRequests} name="keep" isChecked />
          </Confirm>
        )}
      />
      {world.id !== 1 && (
        <DialogButton
          title={w.delete}
          class="danger"
          dialog={(close) => (
            <DeleteWorld world={world} isKept={isKept} onClose={close} onDeleted={() => location.assign(linkTo(1))} />
          )}
        />
      )}
    </div>
  )
}
