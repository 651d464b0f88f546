import { useEffect, useState } from 'preact/hooks'
import type { Operations, Schemas } from '../../../lib/types.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { Select } from '../../parts/form.tsx'
import { useKeys } from '../../parts/keys.ts'
import { attempt, notify } from '../../parts/toasts.tsx'
import { change } from '../../world/client.ts'
import { words } from '../words.ts'
import { FLAGS, type Question, STATUSES, type Status } from './list.tsx'

type Change = Operations['PATCH /questions/{id}']['body']

/** What moderation may do: state, flags, ban, the answer, and the listing. */
export function Moderation({ question, item, again }: Context & { again(): void }) {
  const { id, status, answer, hidden } = question
  const [confirming, setConfirming] = useState<'ban' | 'close'>()
  const w = words().questions

  const run = async (changed: Promise<unknown>) => {
    try {
      await changed
      notify(w.saved)
    } finally {
      // Also after an error: the field shows the state of the server again.
      again()
    }
  }
  const patch = (label: string, body: Change) => run(change(label, 'PATCH /questions/{id}', { path: { id }, body }))
  const patchItem = (label: string, status: 'active' | 'closed') =>
    run(change(label, 'PATCH /items/{id}', { path: { id: item.id }, body: { status } }))
  const quietly = (done: () => Promise<unknown>) => void attempt(done).catch(() => {})
  const toggleHidden = () => quietly(() => patch(hidden ? w.show : w.hide, { flags: { hidden: !hidden } }))
  const isAllowed = answer?.status === 'ACTIVE'
  const answerTitle = isAllowed ? w.banAnswer : w.allowAnswer
  useKeys([{ keys: 'h', title: hidden ? w.show : w.hide, run: toggleHidden }])

  return (
    <section class="moderation">
      <h3>{w.moderate}</h3>
      <div class="row">
        <Select
          label={w.status}
          value={status}
          options={STATUSES.filter((one) => one === status || one !== 'BANNED').map((one) => [one, w[one]] as const)}
          onValue={(next: Status) => quietly(() => patch(w[next], { status: next }))}
        />
        {status !== 'BANNED' && (
          <button type="button" class="danger small" aria-haspopup="dialog" onClick={() => setConfirming('ban')}>
            {w.ban}
          </button>
        )}
        {answer && (
          <>
            <button type="button" class="small" onClick={() => quietly(() => patch(w.removeAnswer, { answer: null }))}>
              {w.removeAnswer}
            </button>
            <button
              type="button"
              class="small"
              onClick={() => quietly(() => patch(answerTitle, { answer: { status: isAllowed ? 'BANNED' : 'ACTIVE' } }))}
            >
              {answerTitle}
            </button>
          </>
        )}
        {item.status === 'closed' ? (
          <button type="button" class="small" onClick={() => quietly(() => patchItem(w.openListing, 'active'))}>
            {w.openListing}
          </button>
        ) : (
          <button type="button" class="small" aria-haspopup="dialog" onClick={() => setConfirming('close')}>
            {w.closeListing}
          </button>
        )}
      </div>
      <fieldset class="checks">
        <legend class="hidden">{w.flags}</legend>
        {FLAGS.map((flag) => (
          <FlagBox
            key={flag}
            title={w[flag]}
            isOn={question[flag]}
            onChange={(isOn) => attempt(() => patch(w[flag], { flags: { [flag]: isOn } }))}
          />
        ))}
      </fieldset>
      {confirming === 'ban' && (
        <Confirm
          title={w.banTitle}
          action={w.ban}
          onConfirm={() => patch(w.ban, { status: 'BANNED' })}
          onClose={() => setConfirming(undefined)}
        >
          {w.banWhy}
        </Confirm>
      )}
      {confirming === 'close' && (
        <Confirm
          title={w.closeTitle}
          action={w.closeListing}
          onConfirm={() => patchItem(w.closeListing, 'closed')}
          onClose={() => setConfirming(undefined)}
        >
          {w.closeWhy}
        </Confirm>
      )}
    </section>
  )
}

interface FlagBoxProps {
  title: string
  isOn: boolean
  onChange(isOn: boolean): Promise<unknown>
}

/** Shows what the person wants until the server has said what is. */
function FlagBox({ title, isOn, onChange }: FlagBoxProps) {
  const [wanted, setWanted] = useState<boolean>()
  useEffect(() => setWanted(undefined), [isOn])
  return (
    <label>
      <input
        type="checkbox"
        checked={wanted ?? isOn}
        onChange={({ currentTarget: { checked } }) => {
          setWanted(checked)
          onChange(checked).catch(() => setWanted(undefined))
        }}
      />
      {title}
    </label>
  )
}

/** A question with those whom it is about. */
export interface Context {
  question: Question
  item: Schemas['Listing']
  seller: Schemas['User']
  /** null for a guest. */
  buyer: Schemas['User'] | null
}
