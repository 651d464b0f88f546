import type { AnswerOf } from '../../../lib/types.ts'
import { CopyAs } from '../../parts/copy_as.tsx'
import { visible } from '../../parts/text.ts'
import { fixedCall } from '../../snippets/call.ts'
import { baseUrl } from '../../world/client.ts'
import { words } from '../words.ts'
import { Resend } from './resend.tsx'

type Explanation = AnswerOf<'GET /requests/{id}/explain'>
type Change = NonNullable<Explanation['fix']>['change']

interface FixProps {
  /** Of the refused call. */
  id: number
  fix: Explanation['fix']
  noFix: Explanation['no_fix']
}

/** What would have worked, to send or to copy; or why there is none. */
export const Fix = ({ id, fix, noFix }: FixProps) => (
  <section class="fix stack" data-found={fix !== null}>
    <h4>{words().requests.fix}</h4>
    <p>
      <bdi>{visible((fix ?? noFix)?.text ?? '')}</bdi>
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
      <bdi>{visible(name ?? kind)}</bdi>: {from !== null && <del>{visible(from)}</del>}
      {from !== null && to !== null && ' → '}
      {to !== null && <ins>{visible(to)}</ins>}
    </p>
  )
