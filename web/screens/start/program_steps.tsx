import { CopyAs } from '../../parts/copy_as.tsx'
import type { HttpCall } from '../../snippets/call.ts'
import { whyHref } from '../../world/address.ts'
import { baseUrl } from '../../world/client.ts'
import { words } from '../words.ts'
import { AskButton } from './ask_button.tsx'
import type { Progress, StepProps } from './progress.ts'

const callOf = (path: string, body?: object): HttpCall => ({
  method: body ? 'POST' : 'GET',
  url: [baseUrl + path],
  headers: body ? { 'content-type': 'application/json' } : {},
  body: body ? [JSON.stringify(body)] : null,
  tokenVariable: 'TOKEN',
})

const Program = ({ path, body }: { path: string; body?: object }) => (
  <CopyAs textOf={(language) => language.call(callOf(path, body))} />
)

export const Call = () => <Program path="/users/me" />

export const Read = ({ progress, again }: StepProps) => (
  <WithQuestion progress={progress} again={again}>
    {(id) => <Program path={`/questions/${id}`} />}
  </WithQuestion>
)

export const Answer = ({ progress, again }: StepProps) => (
  <WithQuestion progress={progress} again={again}>
    {(id) => (
      <>
        <Program path="/answers" body={{ question_id: id, text: words().start.answerText }} />
        <p>
          <a href={`#/live?item=${progress.question?.item_id}`}>{words().start.watch}</a>
        </p>
      </>
    )}
  </WithQuestion>
)

/** The body names a member that the API does not know. */
export function Recover({ progress, again }: StepProps) {
  const w = words().start
  return (
    <WithQuestion progress={progress} again={again}>
      {(id) => (
        <>
          <Program path="/answers" body={{ question: id, text: w.answerText }} />
          {progress.refused !== undefined && (
            <>
              <p>
                <a href={whyHref(progress.refused)}>{w.why}</a>
              </p>
              <p>{w.repaired}</p>
              <Program path="/answers" body={{ question_id: id, text: w.answerText }} />
            </>
          )}
        </>
      )}
    </WithQuestion>
  )
}

interface WithQuestionProps extends StepProps {
  children(id: number): preact.ComponentChildren
}

function WithQuestion({ progress, again, children }: WithQuestionProps) {
  const { question } = progress satisfies Progress
  if (question) return <>{children(question.id)}</>
  return (
    <>
      <p>{words().start.noQuestion}</p>
      <AskButton progress={progress} again={again} />
    </>
  )
}
