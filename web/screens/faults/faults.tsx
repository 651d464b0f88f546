import { CopyCurl } from '../../parts/copy_as.tsx'
import { Confirm, DialogButton } from '../../parts/dialog.tsx'
import { FactList } from '../../parts/facts.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { Value } from '../../parts/json.tsx'
import { useKeys } from '../../parts/keys.ts'
import { Split } from '../../parts/split.tsx'
import { attempt } from '../../parts/toasts.tsx'
import { number } from '../../words/words.ts'
import type { Address } from '../../world/address.ts'
import { change } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { go, openDetail } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { RuleForm } from './form.tsx'
import { Hits } from './hits.tsx'
import { effectOf, isUsedUp, Match, RuleList, State } from './list.tsx'
import { copyOf, fieldsOf, type Rule } from './rule.ts'

/** A world has at most 1000 rules. */
const ALL = { query: { limit: 1000 } }

/** `#/faults/7`, `#/faults/7/edit`, and `#/faults/new?method=POST&path=/answers&status=503`. */
export default function Faults({ path: [id, mode], query }: Address) {
  const w = words().faults
  const rules = useCall('GET /faults', ALL, {
    refreshOn: (event) => event.type === 'control' || (event.type === 'request' && event.faults.length > 0),
  })
  const rule = rules.data?.results.find((one) => String(one.id) === id)
  const isForm = canChange.value && (id === 'new' || mode === 'edit')
  const onSaved = (saved: number) => {
    rules.again()
    go(`#/faults/${saved}`)
  }
  const detail = isForm ? (
    id === 'new' ? (
      <RuleForm key={JSON.stringify(query)} fields={query} onSaved={onSaved} />
    ) : (
      rule && <RuleForm key={id} rule={rule} fields={fieldsOf(rule)} onSaved={onSaved} />
    )
  ) : rule ? (
    <RuleDetail key={id} rule={rule} again={rules.again} onSaved={onSaved} />
  ) : (
    rules.data && (
      <Empty icon="faults" title={w.gone(id ?? '')}>
        <p>{w.goneWhy}</p>
      </Empty>
    )
  )
  return (
    <Split
      heading={w.title}
      list={
        <Show loaded={rules}>{({ results }) => <RuleList rules={results} open={rule?.id} again={rules.again} />}</Show>
      }
      title={id === 'new' ? w.create : `${w.rule} ${id}`}
      detail={id === undefined ? undefined : detail}
    />
  )
}

function RuleDetail({ rule, again, onSaved }: { rule: Rule; again(): void; onSaved(id: number): void }) {
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
  const isOver = isUsedUp(rule)
  /** As a new rule: the hits of the finished one stay. */
  const repeat = () =>
    attempt(() => change(w.repeat, 'POST /faults', { body: copyOf(rule) })).then(
      (copy) => onSaved(copy.id),
      () => {},
    )
  useKeys(
    canChange.value
      ? [
          { keys: 'o', title: toggleTitle, run: () => void toggle() },
          { keys: 'e', title: w.edit, run: edit },
          ...(isOver ? [{ keys: 'a', title: w.repeat, run: () => void repeat() }] : []),
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
              {isOver && (
                <button type="button" class="primary" onClick={repeat}>
                  {w.repeat}
                </button>
              )}
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
      {applied > 0 && <Hits rule={id} />}
    </article>
  )
}
