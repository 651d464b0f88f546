import { CopyCurl } from '../../parts/copy_as.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { DialogButton } from '../../parts/dialog_button.tsx'
import { FactList } from '../../parts/facts.tsx'
import { Value } from '../../parts/json.tsx'
import { useKeys } from '../../parts/keys.ts'
import { attempt } from '../../parts/toasts.tsx'
import { number } from '../../words/words.ts'
import { change } from '../../world/client.ts'
import { openDetail } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { copyOf, type Rule } from './rule.ts'
import { effectOf, Match, State } from './text.tsx'

export function RuleDetail({ rule, again }: { rule: Rule; again(): void }) {
  const w = words().faults
  const { id, match, action, probability, times, matched, applied, enabled, seed } = rule
  const toggleTitle = enabled ? w.turnOff : w.turnOn
  const toggle = () =>
    attempt(() => change(toggleTitle, 'PATCH /faults/{id}', { path: { id }, body: { enabled: !enabled } })).then(
      again,
      () => {},
    )
  const remove = async () => {
    await change(w.delete, 'DELETE /faults/{id}', { path: { id } })
    again()
    openDetail()
  }
  const edit = () => openDetail(id, 'edit')
  useKeys(
    canChange.value
      ? [
          { keys: 'o', title: toggleTitle, run: () => void toggle() },
          { keys: 'e', title: w.edit, run: edit },
        ]
      : [],
  )
  return (
    <article class="rule stack">
      <header class="stack">
        <p class="muted">
          {w.rule} {id} <State rule={rule} />
        </p>
        <h2>
          <Match match={match} />
        </h2>
        <div class="actions">
          {canChange.value && (
            <>
              <button type="button" onClick={toggle}>
                {toggleTitle}
              </button>
              <button type="button" onClick={edit}>
                {w.edit}
              </button>
            </>
          )}
          <CopyCurl call={{ call: 'POST /faults', input: { body: copyOf(rule) } }} />
          <DialogButton
            title={w.delete}
            class="danger"
            dialog={(close) => (
              <Confirm title={`${w.delete}: ${w.rule} ${id}`} action={w.delete} onConfirm={remove} onClose={close}>
                {w.deleteLoss}
              </Confirm>
            )}
          />
        </div>
      </header>
      <FactList
        of={[
          [w.effect, effectOf(action)],
          [w.probability, probability === 1 ? null : `${number(probability * 100)} %`],
          [w.seed, probability === 1 ? null : String(seed)],
          [w.times, times === null ? null : number(times)],
          [w.user, match.user === undefined ? null : String(match.user)],
          [w.matched, number(matched)],
          [w.applied, number(applied)],
          ...Object.entries(action.headers ?? {}),
        ]}
      />
      {action.body !== undefined && (
        <section class="stack">
          <h3>{w.body}</h3>
          <div class="json">
            <Value value={action.body} depth={0} />
          </div>
        </section>
      )}
    </article>
  )
}
