import type { BodyOf, Schemas } from '../../../lib/types.ts'
import { ConfirmButton, DialogButton, FormDialog } from '../../parts/dialog.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { Check, Input } from '../../parts/form.tsx'
import { ActionButtons } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { notify } from '../../parts/toasts.tsx'
import { Compare, undo } from '../../parts/undo.tsx'
import { foreign, visible } from '../../parts/values.tsx'
import { mercadito } from '../../snippets/call.ts'
import { bytesOf, dateTimeOf } from '../../words/time.ts'
import { baseUrl, change } from '../../world/client.ts'
import { useWhole } from '../../world/use_pages.ts'
import { wordsOf } from '../words.ts'
import { fromNow } from './dialogs.tsx'
import { Lost } from './diff_sentences.tsx'

const w = wordsOf('worlds')

type Snapshot = Schemas['Snapshot']

/** The stored states of this world: the named ones, and those before calls. */
export function Snapshots() {
  const list = useWhole(
    'GET /snapshots',
    {},
    { first: 50, refreshOn: ({ type }) => type !== 'clock' && type !== 'contact' },
  )
  return (
    <section class="stack" aria-labelledby="snapshots">
      <div class="row spread">
        <h2 id="snapshots">{w.snapshots}</h2>
        <SnapshotButton keys="s" />
      </div>
      <Show loaded={list}>
        {({ rows, total }) =>
          rows.length === 0 ? (
            <div class="card">
              <Empty icon="worlds" title={w.noSnapshots} command={mercadito('snapshot before-checkout', baseUrl)}>
                <p>{w.noSnapshotsWhy}</p>
                <p>{w.automaticWhy}</p>
              </Empty>
            </div>
          ) : (
            <SnapshotList rows={rows} total={total} onMore={list.onMore} />
          )
        }
      </Show>
    </section>
  )
}

interface ListProps {
  rows: Snapshot[]
  total: number
  onMore: (() => void) | undefined
}

/** The named snapshots, and the automatic ones folded below them, open if there are no others. */
function SnapshotList({ rows, total: all, onMore }: ListProps) {
  const named = rows.filter(({ automatic }) => automatic === null)
  const automatic = rows.filter((one) => one.automatic !== null)
  const total = all - automatic.length
  return (
    <>
      {total > 0 && (
        <Rows label={w.snapshots} rows={named} total={total} onMore={onMore} keyOf={({ name }) => name}>
          {(snapshot) => <SnapshotRow {...snapshot} />}
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
  const from = `snapshot:${name}`
  return (
    <>
      <div>
        <bdi>{w.before(visible(label ?? ''))}</bdi> {automatic === 'program' && <span class="muted">{w.request}</span>}
        <p class="muted">
          <span class="mono">{name}</span> · {w.stateOf(dateTimeOf(now!))} · {bytesOf(bytes)}
        </p>
      </div>
      <Compare from={from} />
      <div class="actions">
        <ActionButtons class="small" of={[{ title: w.backHere, run: () => undo(name, true, <Lost from={from} />) }]} />
      </div>
    </>
  )
}

/** Stores the state of the world under a name. */
export function SnapshotButton({ keys }: { keys?: string }) {
  const submit = async (body: BodyOf<'POST /snapshots'>) => {
    await change(w.snapshot, 'POST /snapshots', { body })
    notify(<a href="#/worlds">{w.snapshotStored(body.name)}</a>)
  }
  return (
    <DialogButton title={w.snapshot} keys={keys}>
      <FormDialog title={w.snapshot} action={w.save} onSubmit={submit}>
        <p class="muted">{w.noSnapshotsWhy}</p>
        <Input label={w.name} name="name" required placeholder="before-checkout" hint={w.nameHint} autofocus />
        <Input label={w.description} name="label" hint={w.optional} maxLength={100} />
      </FormDialog>
    </DialogButton>
  )
}

function SnapshotRow({ name, label, now, created_at, bytes }: Snapshot) {
  const from = `snapshot:${name}`
  const facts = [now && w.stateOf(dateTimeOf(now)), created_at && w.createdAt(fromNow(created_at)), bytesOf(bytes)]
  const restore = async (body: BodyOf<'POST /snapshots/{name}/restore'>) => {
    await change(`${w.restore} ${name}`, 'POST /snapshots/{name}/restore', { path: { name }, body })
    notify(w.restored(name))
  }
  const deletion = `${w.delete} ${name}`
  return (
    <>
      <div>
        <strong class="mono">{visible(name)}</strong> {label && foreign(label)}
        <p class="muted">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <Compare from={from} />
      <div class="actions">
        <ConfirmButton class="small" title={w.restore} heading={`${w.restore} ${name}`} onSubmit={restore}>
          <p>{w.restoreLoss}</p>
          <Lost from={from} />
          <Check label={w.keepRequests} name="keep_requests" isChecked />
        </ConfirmButton>
        <ConfirmButton
          class="small danger"
          title={w.delete}
          heading={deletion}
          onSubmit={() => change(deletion, 'DELETE /snapshots/{name}', { path: { name } })}
        >
          {w.snapshotLoss}
        </ConfirmButton>
      </div>
    </>
  )
}
