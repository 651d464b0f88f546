import { useState } from 'preact/hooks'
import { Choices, Form, Input, Options, Text, titled } from '../../parts/form.tsx'
import { change } from '../../world/client.ts'
import { go } from '../../world/navigation.ts'
import { wordsOf } from '../words.ts'
import { KINDS, type Kind, kindOf, type Rule, type RuleFields, ruleOf } from './rule.ts'

const w = wordsOf('faults')

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

interface RuleFormProps {
  /** The rule to change; without it a new one is created. */
  rule?: Rule
  fields: RuleFields
}

export function RuleForm({ rule, fields }: RuleFormProps) {
  const [kind, setKind] = useState(kindOf(fields))
  const submit = async (values: RuleFields) => {
    // As an address has them: `ruleOf` leaves out what is empty, which the text `0` is not.
    const texts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
    const body = ruleOf(kind, texts)
    const saved = rule
      ? await change(w.edit, 'PATCH /faults/{id}', { path: { id: rule.id }, body })
      : await change(w.create, 'POST /faults', { body })
    go(`#/faults/${saved.id}`)
  }
  return (
    <div class="stack">
      <h2>{rule ? `${w.rule} ${rule.id}` : w.create}</h2>
      <Form
        action={rule ? w.save : w.create}
        onSubmit={submit}
        onCancel={() => go(`#/faults${rule ? `/${rule.id}` : ''}`)}
      >
        <h3>{w.calls}</h3>
        <div class="field-row">
          <Options label={w.method} name="method" value={fields.method} options={[['', w.any], ...METHODS]} />
          <Input label={w.user} name="user" value={fields.user} inputMode="numeric" placeholder={w.any} />
        </div>
        <Input label={w.path} name="path" value={fields.path} placeholder="/questions/*" hint={w.pathHint} />
        <h3>{w.effect}</h3>
        <Choices label={w.effect} value={kind} options={titled(KINDS, w)} onValue={(one) => setKind(one)} />
        <Effect kind={kind} fields={fields} />
        <h3>{w.when}</h3>
        <div class="field-row">
          <Input
            label={`${w.probability} (%)`}
            name="percent"
            type="number"
            min={0}
            max={100}
            step="any"
            value={fields.percent ?? '100'}
          />
          <Input label={w.times} name="times" type="number" min={1} value={fields.times} placeholder={w.unlimited} />
        </div>
      </Form>
    </div>
  )
}

function Effect({ kind, fields }: { kind: Kind; fields: RuleFields }) {
  const count = { type: 'number', required: true, min: 0 }
  if (kind === 'drop') return <p class="muted">{w.dropped}</p>
  if (kind === 'optimistic_lock') return <p class="muted">{w.optimisticLockWhy}</p>
  if (kind === 'partial')
    return (
      <Input
        label={w.members}
        name="partial"
        required
        value={fields.partial ?? 'buyer, shipping'}
        hint={w.partialWhy}
      />
    )
  if (kind === 'limits') return <p class="muted">{w.limitsWhy}</p>
  if (kind === 'delay')
    return (
      <div class="field-row">
        <Input label={w.min} name="min" {...count} value={fields.min ?? '2000'} />
        <Input label={w.max} name="max" type="number" min={0} value={fields.max} hint={w.maxHint} />
      </div>
    )
  if (kind === 'rate_limit')
    return (
      <div class="field-row">
        <Input label={w.limit} name="limit" {...count} value={fields.limit ?? '10'} />
        <Input label={w.window} name="window" {...count} value={fields.window ?? '60'} />
        <Options
          label={w.clock}
          name="clock"
          value={fields.clock ?? 'real'}
          options={[
            ['real', w.realClock],
            ['world', w.worldClock],
          ]}
        />
      </div>
    )
  return (
    <>
      <Input label={w.statusCode} name="status" {...count} min={400} max={599} value={fields.status ?? '503'} />
      <Text label={w.body} name="body" rows={2} class="mono" value={fields.body} hint={w.bodyHint} />
      <Text
        label={w.headers}
        name="headers"
        rows={2}
        class="mono"
        placeholder="retry-after: 30"
        value={fields.headers}
        hint={w.headersHint}
      />
    </>
  )
}
