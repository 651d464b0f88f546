import { CopyCurl } from '../../parts/copy_as.tsx'
import { ConfirmButton } from '../../parts/dialog.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { Value } from '../../parts/json.tsx'
import { ActionButtons, Section } from '../../parts/page.tsx'
import { Split } from '../../parts/split.tsx'
import { FactList } from '../../parts/values.tsx'
import { number } from '../../words/words.ts'
import type { Address } from '../../world/address.ts'
import { change } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { openDetail } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { wordsOf } from '../words.ts'
import { RuleForm } from './form.tsx'
import { Hits } from './hits.tsx'
import { effectOf, isUsedUp, Match, RuleList, State } from './list.tsx'
import { copyOf, fieldsOf, type Rule } from './rule.ts'

const w = wordsOf('faults')

/** A world has at most 1000 rules. */
const ALL = { query: { limit: 1000 } }

/** `#/faults/7`, `#/faults/7/edit`, and `#/faults/new?method=POST&path=/answers&status=503`. */
export default function Faults({ path: [id, mode], query }: Address) {
  const rules = useCall('GET /faults', ALL, {
    refreshOn: (event) => event.type === 'control' || (event.type === 'request' && event.faults.length > 0),
  })
  const rule = rules.data?.results.find((one) => String(one.id) === id)
  const isForm = canChange.value && (id === 'new' || mode === 'edit')
  const detail = isForm ? (
    id === 'new' ? (
      <RuleForm key={JSON.stringify(query)} fields={query} />
    ) : (
      rule && <RuleForm key={id} rule={rule} fields={fieldsOf(rule)} />
    )
  ) : rule ? (
    <RuleDetail key={id} rule={rule} />
  ) : (
    rules.data && (
      <Empty icon="faults" title={w.gone(id ?? '')}>
        <p>{w.goneWhy}</p>
      </Empty>
    )
  )
  return (
    <Split
      list={<Show loaded={rules}>{({ results }) => <RuleList rules={results} open={rule?.id} />}</Show>}
      title={id === 'new' ? w.create : `${w.rule} ${id}`}
      detail={id !== undefined && detail}
    />
  )
}

function RuleDetail({ rule }: { rule: Rule }) {
  const { id, match, action, probability, times, matched, applied, enabled, seed } = rule
  const toggleTitle = enabled ? w.turnOff : w.turnOn
  const toggle = () => change(toggleTitle, 'PATCH /faults/{id}', { path: { id }, body: { enabled: !enabled } })
  const remove = async () => {
    await change(w.delete, 'DELETE /faults/{id}', { path: { id } })
    openDetail()
  }
  /** As a new rule: the hits of the finished one stay. */
  const repeat = async () => openDetail((await change(w.repeat, 'POST /faults', { body: copyOf(rule) })).id)
  const actions = [
    ...(isUsedUp(rule) ? [{ keys: 'a', title: w.repeat, class: 'primary', run: repeat }] : []),
    { keys: 'o', title: toggleTitle, run: toggle },
    { keys: 'e', title: w.edit, run: () => openDetail(id, 'edit') },
  ]
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
          <ActionButtons of={actions} />
          <CopyCurl call={{ call: 'POST /faults', input: { body: copyOf(rule) } }} />
          <ConfirmButton title={w.delete} class="danger" heading={`${w.delete}: ${w.rule} ${id}`} onSubmit={remove}>
            {w.deleteLoss}
          </ConfirmButton>
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
        <Section title={w.body}>
          <div class="json">
            <Value value={action.body} depth={0} />
          </div>
        </Section>
      )}
      {applied > 0 && <Hits rule={id} />}
    </article>
  )
}
