import { useRef } from 'preact/hooks'
import type { AnswerOf } from '../../../lib/types.ts'
import { CopyAs } from '../../parts/copy_as.tsx'
import { Show } from '../../parts/feedback.tsx'
import { Icon, type IconName } from '../../parts/icons.tsx'
import { useKeys } from '../../parts/keys.ts'
import { FactList, foreign, Marked, visible } from '../../parts/values.tsx'
import { fixedCall } from '../../snippets/call.ts'
import { language } from '../../words/words.ts'
import { formatAddress } from '../../world/address.ts'
import { baseUrl } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { openDetail } from '../../world/navigation.ts'
import { wordsOf } from '../words.ts'
import { Resend } from './actions.tsx'

const w = wordsOf('requests')

type Explanation = AnswerOf<'GET /requests/{id}/explain'>
type Check = Explanation['checks'][number]

/** Why a call was answered so. The server works it out when it is opened, by `w` or by its address. */
export function Why({ id, isOpen }: { id: number; isOpen: boolean }) {
  const button = useRef<HTMLButtonElement>(null)
  const toggle = () => {
    button.current!.focus()
    openDetail(id, ...(isOpen ? [] : ['why']))
  }
  useKeys([{ keys: 'w', title: w.why, run: toggle }])
  return (
    <section class="why">
      <h3>
        <button type="button" ref={button} aria-expanded={isOpen} onClick={toggle}>
          {w.why}
        </button>
      </h3>
      {isOpen && <Loaded id={id} />}
    </section>
  )
}

const Loaded = ({ id }: { id: number }) => (
  <Show loaded={useCall('GET /requests/{id}/explain', { path: { id }, query: { lang: language.value } })}>
    {(explanation) => <Explained id={id} {...explanation} />}
  </Show>
)

const Explained = ({ id, text, field, fix, no_fix, rule, assumption, checks }: Explanation & { id: number }) => (
  <div class="explanation stack">
    <p>
      <bdi>
        <Marked text={text} />
      </bdi>
    </p>
    {(fix ?? no_fix) && <Fix id={id} fix={fix} noFix={no_fix} />}
    <FactList
      of={[
        [
          w.field,
          field && (
            <>
              <code>{visible(field.name)}</code> <span class="muted">{w[field.in]}</span>
            </>
          ),
        ],
        [w.received, field && (field.received ?? w.nothing)],
        [w.allowed, field?.allowed && <Marked key="allowed" text={field.allowed} />],
        [w.values, field?.values.join(', ') || null],
        [w.rule, rule && <Rule rule={rule} />],
        [
          w.assumption,
          assumption && (
            <>
              <a href={formatAddress('assumptions', [assumption.name])}>{assumption.name}</a> ={' '}
              {foreign(assumption.value)}
            </>
          ),
        ],
      ]}
    />
    <Ladder checks={checks} />
  </div>
)

const Rule = ({ rule: { id, text, page } }: { rule: NonNullable<Explanation['rule']> }) => (
  <>
    <span lang="en">
      <Marked text={text} />
    </span>{' '}
    <small class="muted">
      {id}, {page}
    </small>
  </>
)

const ICONS: Record<Check['state'], IconName> = { passed: 'done', failed: 'close', not_reached: 'none' }

/** The checks in the order in which they ran. */
const Ladder = ({ checks }: { checks: Check[] }) => (
  <section>
    <h4>{w.checks}</h4>
    <ol class="ladder">
      {checks.map(({ id, text, state }) => (
        <li key={id} data-state={state}>
          <Icon name={ICONS[state]} />
          <span class="hidden">{w[state]}: </span>
          <Marked text={text} />
        </li>
      ))}
    </ol>
  </section>
)

type Change = NonNullable<Explanation['fix']>['change']

interface FixProps {
  /** Of the refused call. */
  id: number
  fix: Explanation['fix']
  noFix: Explanation['no_fix']
}

/** What would have worked, to send or to copy; or why there is none. */
const Fix = ({ id, fix, noFix }: FixProps) => (
  <section class="fix stack" data-found={fix !== null}>
    <h4>{w.fix}</h4>
    <p>
      <bdi>
        <Marked text={(fix ?? noFix)?.text ?? ''} />
      </bdi>
    </p>
    {fix && (
      <>
        <ChangeLine change={fix.change} />
        <p class="row">
          <Resend id={id} fix />
        </p>
        <CopyAs textOf={(language) => language.call(fixedCall(fix.request, baseUrl))} />
      </>
    )}
  </section>
)

const ChangeLine = ({ change: { kind, name, from, to } }: { change: Change }) =>
  from === null && to === null ? null : (
    <p class="mono">
      {foreign(name ?? kind)}: {from !== null && <del data-tone="bad">{visible(from)}</del>}
      {from !== null && to !== null && ' → '}
      {to !== null && <ins data-tone="good">{visible(to)}</ins>}
    </p>
  )
