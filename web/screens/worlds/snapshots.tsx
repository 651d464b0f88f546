import { useState } from 'preact/hooks'
import type { AnswerOf, Schemas } from '../../../lib/types.ts'
import { Confirm, DialogButton, FormDialog } from '../../parts/dialog.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { Check, Input, type Values } from '../../parts/form.tsx'
import { Rows } from '../../parts/rows.tsx'
import { visible } from '../../parts/text.tsx'
import { notify } from '../../parts/toasts.tsx'
import { Compare, undo } from '../../parts/undo.tsx'
import { mercadito } from '../../snippets/call.ts'
import { words as common } from '../../words/index.ts'
import { bytesOf, dateTimeOf } from '../../words/time.ts'
import { baseUrl, change } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { fromNow } from './dialogs.tsx'
import { Lost } from './told.tsx'

type Snapshot = Schemas['Snapshot']

/** The stored states of this world: the named ones, and those before calls. */
export function Snapshots({ onChange }: { onChange(): void }) {
  const w = words().worlds
  const [limit, setLimit] = useState(50)
  const snapshots = useCall(
    'GET /snapshots',
    { query: { limit } },
    { refreshOn: ({ type }) => type !== 'clock' && type !== 'contact' },
  )
  const again = () => {
    snapshots.again()
    onChange()
  }
  return (
    <section class="stack" aria-labelledby="snapshots">
      <div class="row spread">
        <h2 id="snapshots">{w.snapshots}</h2>
        <DialogButton title={w.snapshot} keys="s" dialog={(close) => <NewSnapshot onClose={close} again={again} />} />
      </div>
      <Show loaded={snapshots}>
        {(page) =>
          page.results.length === 0 ? (
            <div class="card">
              <Empty icon="worlds" title={w.noSnapshots} command={mercadito('snapshot before-checkout', baseUrl)}>
                <p>{w.noSnapshotsWhy}</p>
                <p>{w.automaticWhy}</p>
              </Empty>
            </div>
          ) : (
            <SnapshotList page={page} onLimit={setLimit} again={again} />
          )
        }
      </Show>
    </section>
  )
}

interface ListProps {
  page: AnswerOf<'GET /snapshots'>
  onLimit(limit: number): void
  again(): void
}

/** The named snapshots, and the automatic ones folded below them, open if there are no others. */
function SnapshotList({ page: { results, paging }, onLimit, again }: ListProps) {
  const w = words().worlds
  const named = results.filter(({ automatic }) => automatic === null)
  const automatic = results.filter((one) => one.automatic !== null)
  const total = paging.total - automatic.length
  return (
    <>
      {total > 0 && (
        <Rows
          label={w.snapshots}
          page={{ paging: { ...paging, total }, results: named }}
          keyOf={({ name }) => name}
          onLimit={onLimit}
        >
          {(snapshot) => <SnapshotRow snapshot={snapshot} again={again} />}
        </Rows>
      )}
      {automatic.length > 0 && (
        <details class="stack" open={total === 0}>
          <summary>{w.automatic(automatic.length)}</summary>
          <ul class="rows" aria-label={w.snapshots}>
            {automatic.map((snapshot) => (
              <li key={snapshot.name}>
                <AutomaticRow {...snapshot} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

/** The state before a change of the console, or before a program wrote. */
function AutomaticRow({ name, automatic, label, now, bytes }: Snapshot) {
  const w = common()
  return (
    <>
      <div>
        <bdi>{w.before(visible(label ?? ''))}</bdi> {automatic === 'program' && <span class="muted">{w.request}</span>}
        <p class="muted">
          <span class="mono">{name}</span> · {words().worlds.stateOf(dateTimeOf(now!))} · {bytesOf(bytes)}
        </p>
      </div>
      <Compare from={`snapshot:${name}`} />
      {canChange.value && (
        <div class="actions">
          <button type="button" class="small" onClick={() => void undo(name, true, <Lost from={`snapshot:${name}`} />)}>
            {w.backHere}
          </button>
        </div>
      )}
    </>
  )
}

function NewSnapshot({ onClose, again }: { onClose(): void; again(): void }) {
  const w = words().worlds
  const submit = async ({ name, label }: Values) => {
    await change(w.snapshot, 'POST /snapshots', { body: { name: name!, ...(label && { label }) } })
    notify(w.snapshotStored(name!))
    again()
  }
  return (
    <FormDialog title={w.snapshot} action={w.save} onSubmit={submit} onClose={onClose}>
      <p class="muted">{w.noSnapshotsWhy}</p>
      <Input
        label={w.name}
        name="name"
        required
        pattern="[a-z0-9][a-z0-9_\-]{0,63}"
        placeholder="before-checkout"
        hint={w.nameHint}
        autofocus
      />
      <Input label={w.label} name="label" hint={w.optional} maxLength={100} />
    </FormDialog>
  )
}

function SnapshotRow({ snapshot, again }: { snapshot: Snapshot; again(): void }) {
  const w = words().worlds
  const { name, label, now, created_at, bytes } = snapshot
  const facts = [now && w.stateOf(dateTimeOf(now)), created_at && w.createdAt(fromNow(created_at)), bytesOf(bytes)]
  const restore = async ({ keep }: Values) => {
    const body = { keep_requests: keep !== undefined }
    await change(`${w.restore} ${name}`, 'POST /snapshots/{name}/restore', { path: { name }, body })
    notify(w.restored(name))
    again()
  }
  const remove = async () => {
    await change(`${w.delete} ${name}`, 'DELETE /snapshots/{name}', { path: { name } })
    again()
  }
  return (
    <>
      <div>
        <strong class="mono">{visible(name)}</strong> {label && <bdi>{visible(label)}</bdi>}
        <p class="muted">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <Compare from={`snapshot:${name}`} />
      {canChange.value && (
        <div class="actions">
          <DialogButton
            class="small"
            title={w.restore}
            dialog={(close) => (
              <Confirm title={`${w.restore} ${name}`} action={w.restore} onConfirm={restore} onClose={close}>
                <p>{w.restoreLoss}</p>
                <Lost from={`snapshot:${name}`} />
                <Check label={w.keepRequests} name="keep" isChecked />
              </Confirm>
            )}
          />
          <DialogButton
            class="small danger"
            title={w.delete}
            dialog={(close) => (
              <Confirm title={`${w.delete} ${name}`} action={w.delete} onConfirm={remove} onClose={close}>
                {w.snapshotLoss}
              </Confirm>
            )}
          />
        </div>
      )}
    </>
  )
}
