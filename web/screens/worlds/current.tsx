import { useState } from 'preact/hooks'
import type { BodyOf, Schemas } from '../../../lib/types.ts'
import { Confirm, ConfirmButton, DialogButton } from '../../parts/dialog.tsx'
import { Check, Field } from '../../parts/form.tsx'
import { ActionButtons } from '../../parts/page.tsx'
import { notify } from '../../parts/toasts.tsx'
import { Badge, FactList, foreign, visible } from '../../parts/values.tsx'
import { bytesOf } from '../../words/time.ts'
import { change, withUndo } from '../../world/client.ts'
import { callFile, download } from '../../world/files.ts'
import { canChange } from '../../world/role.ts'
import { wordsOf } from '../words.ts'
import { DeleteButton, EditWorld, fromNow, linkTo, NewWorld, nameOf, type World } from './dialogs.tsx'

const w = wordsOf('worlds')

interface CurrentProps {
  world: World
  server: Schemas['ReadyWorld']['world'] | undefined
}

/** The world of this page. */
export function CurrentWorld({ world, server }: CurrentProps) {
  const { url, bytes, created_at, created_by, expires_at } = world
  return (
    <section class="card stack" aria-labelledby="this-world">
      <h2 id="this-world">
        {foreign(nameOf(world))} <Badge>{w.current}</Badge>
      </h2>
      <FactList
        of={[
          [w.address, url],
          [w.size, bytesOf(bytes)],
          [w.created, created_at && [fromNow(created_at), created_by].filter(Boolean).join(' · ')],
          [w.expires, expires_at && fromNow(expires_at)],
          [w.stored, server && (server.mode === 'temporary' ? w.temporary : (server.data ?? w.shared))],
        ]}
      />
      {canChange.value && <Actions world={world} isKept={server !== undefined && server.mode !== 'temporary'} />}
    </section>
  )
}

function Actions({ world, isKept }: { world: World; isKept: boolean }) {
  const name = nameOf(world)
  const typed = isKept ? name : undefined
  const save = () => download('GET /world', `mercadito-${world.id}.json`)
  return (
    <div class="actions">
      <DialogButton title={w.fork}>
        <NewWorld from={world} />
      </DialogButton>
      <DialogButton title={w.edit}>
        <EditWorld world={world} />
      </DialogButton>
      <ActionButtons of={[{ title: w.download, run: save, said: w.downloaded }]} />
      <DialogButton title={w.load}>
        <LoadFile name={name} typed={typed} />
      </DialogButton>
      <ResetButton name={name} isKept={isKept} class="danger" />
      {world.id !== 1 && (
        <DeleteButton world={world} isKept={isKept} class="danger" onDeleted={() => location.assign(linkTo(1))} />
      )}
    </div>
  )
}

interface ResetButtonProps {
  name: string
  isKept: boolean
  class?: string
}

/** Has the world begin again. */
export function ResetButton({ name, isKept, ...button }: ResetButtonProps) {
  const reset = async (body: BodyOf<'POST /reset'>) => {
    await change(w.reset, 'POST /reset', { body })
    notify(w.resetDone)
  }
  return (
    <ConfirmButton
      title={w.reset}
      heading={`${w.reset} ${visible(name)}`}
      typed={isKept ? name : undefined}
      onSubmit={reset}
      {...button}
    >
      <p>{w.resetLoss}</p>
      <Check label={w.keepRequests} name="keep_requests" isChecked />
    </ConfirmButton>
  )
}

/** Replaces the world of this page by that of a file. */
function LoadFile({ name, typed }: { name: string; typed: string | undefined }) {
  const [file, setFile] = useState<File>()
  const load = async () => {
    await loadWorld(file!, w.load)
    notify(w.loaded(visible(file!.name)))
  }
  return (
    <Confirm
      title={w.loadTitle(visible(name))}
      action={w.load}
      typed={typed}
      isReady={file !== undefined}
      onSubmit={load}
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
