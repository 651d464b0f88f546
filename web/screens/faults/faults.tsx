import { Empty, Show } from '../../parts/feedback.tsx'
import { Split } from '../../parts/split.tsx'
import { useCall } from '../../world/load.ts'
import { go } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import type { ScreenProps } from '../screen.ts'
import { words } from '../words.ts'
import { RuleDetail } from './detail.tsx'
import { RuleForm } from './form.tsx'
import { RuleList } from './list.tsx'
import { fieldsOf } from './rule.ts'

/** A world has at most 1000 rules. */
const ALL = { query: { limit: 1000 } }

/** `#/faults/7`, `#/faults/7/edit`, and `#/faults/new?method=POST&path=/answers&status=503`. */
export default function Faults({ path: [id, mode], query }: ScreenProps) {
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
    <RuleDetail rule={rule} again={rules.again} />
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
