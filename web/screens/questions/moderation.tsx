import { useEffect, useState } from 'preact/hooks'
import type { Operations, Schemas } from '../../../lib/types.ts'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Select, titled } from '../../parts/form.tsx'
import { useKeys } from '../../parts/keys.ts'
import { type Action, ActionButtons } from '../../parts/page.tsx'
import { act, attempt, notify } from '../../parts/toasts.tsx'
import { change } from '../../world/client.ts'
import { wordsOf } from '../words.ts'
import { FLAGS, type Question, STATUSES, type Status } from './list.tsx'

const w = wordsOf('questions')

type Change = Operations['PATCH /questions/{id}']['body']

/** What moderation may do: state, flags, ban, the answer, and the listing. */
export function Moderation({ question, item, again }: Context & { again(): void }) {
  const { id, status, answer, hidden } = question

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
  const toggleHidden = () => patch(hidden ? w.show : w.hide, { flags: { hidden: !hidden } })
  const isAllowed = answer?.status === 'ACTIVE'
  const answerTitle = isAllowed ? w.banAnswer : w.allowAnswer
  const answerStatus = isAllowed ? ('BANNED' as const) : ('ACTIVE' as const)
  const actions: Action[] = [
    ...(answer
      ? [
          { title: w.removeAnswer, run: () => patch(w.removeAnswer, { answer: null }) },
          { title: answerTitle, run: () => patch(answerTitle, { answer: { status: answerStatus } }) },
        ]
      : []),
    ...(item.status === 'closed' ? [{ title: w.openListing, run: () => patchItem(w.openListing, 'active') }] : []),
  ]
  useKeys([{ keys: 'h', title: hidden ? w.show : w.hide, run: () => act(toggleHidden) }])

  return (
    <section class="stack moderation">
      <h3>{w.moderate}</h3>
      <div class="row">
        <Select
          label={w.status}
          value={status}
          options={titled(
            STATUSES.filter((one) => one === status || one !== 'BANNED'),
            w,
          )}
          onValue={(next: Status) => act(() => patch(w[next], { status: next }))}
        />
        {status !== 'BANNED' && (
          <ConfirmButton
            class="danger small"
            title={w.ban}
            heading={w.banTitle}
            onSubmit={() => patch(w.ban, { status: 'BANNED' })}
          >
            {w.banWhy}
          </ConfirmButton>
        )}
        <ActionButtons class="small" of={actions} />
        {item.status !== 'closed' && (
          <ConfirmButton class="small" title={w.closeListing} onSubmit={() => patchItem(w.closeListing, 'closed')}>
            {w.closeWhy}
          </ConfirmButton>
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
