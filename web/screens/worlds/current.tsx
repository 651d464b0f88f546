import { useState } from 'preact/hooks'
import type { Schemas } from '../../../lib/types.ts'
import { Confirm, DialogButton } from '../../parts/dialog.tsx'
import { FactList } from '../../parts/facts.tsx'
import { Check, Field, type Values } from '../../parts/form.tsx'
import { visible } from '../../parts/text.tsx'
import { attempt, notify } from '../../parts/toasts.tsx'
import { words as common } from '../../words/index.ts'
import { bytesOf } from '../../words/time.ts'
import { change, withUndo } from '../../world/client.ts'
import { callFile, download } from '../../world/files.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { DeleteWorld, EditWorld, fromNow, linkTo, NewWorld, nameOf, type World } from './dialogs.tsx'

interface CurrentProps {
  world: World
  server: Schemas['ReadyWorld']['world'] | undefined
  again(): void
}

/** The world of this page. */
export function CurrentWorld({ world, server, again }: CurrentProps) {
  const w = words().worlds
  const { url, bytes, created_at, created_by, expires_at } = world
  return (
    <section class="card stack" aria-labelledby="this-world">
      <h2 id="this-world">
        <bdi>{visible(nameOf(world))}</bdi> <span class="badge">{w.current}</span>
      </h2>
      <FactList
        of={[
          [w.address, url],
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
          <Confirm
            title={`${w.reset} ${visible(name)}`}
            action={w.reset}
            typed={typed}
            onConfirm={reset}
            onClose={close}
          >
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

interface LoadFileProps {
  name: string
  typed: string | undefined
  onClose(): void
  again(): void
}

/** Replaces the world of this page by that of a file. */
function LoadFile({ name, typed, onClose, again }: LoadFileProps) {
  const w = words().worlds
  const [file, setFile] = useState<File>()
  const load = async () => {
    await loadWorld(file!, w.load)
    notify(w.loaded(visible(file!.name)))
    again()
  }
  return (
    <Confirm
      title={w.loadTitle(visible(name))}
      action={w.load}
      typed={typed}
      isReady={file !== undefined}
      onConfirm={load}
      onClose={onClose}
    >
      <div class="stack">
        <p>{w.loadLoss}</p>
        <Field label={w.file} hint={w.fileHint}>
          {(more) => (
            <input
              type="file"
              accept=".json,application/json"
              onChange={({ currentTarget }) => setFile(currentTarget.files?.[0])}
              {...more}
            />
          )}
        </Field>
      </div>
    </Confirm>
  )
}

/** Replaces the world by that of a file, which is sent as it is. */
const loadWorld = (file: Blob, label: string): Promise<void> =>
  withUndo(label, (fetchFn) =>
    callFile(
      'PUT /world',
      (input, init) =>
        fetchFn(input, {
          ...init,
          headers: { ...(init?.headers as Record<string, string>), 'content-type': 'application/json' },
          body: file,
        }),
      { snapshot: label },
    ),
  )
