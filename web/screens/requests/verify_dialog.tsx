import { useState } from 'preact/hooks'
import type { BodyOf, RequestMade } from '../../../lib/types.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorPanel } from '../../parts/feedback.tsx'
import { Field } from '../../parts/fields.tsx'
import { number } from '../../words/words.ts'
import { CallError, read } from '../../world/client.ts'
import { words } from '../words.ts'

type Result = { matched: number } | { error: CallError } | { message: string } | undefined

/** Checks an expectation, which begins as this call, and shows what tests would get. */
export function VerifyDialog({ request, onClose }: { request: RequestMade; onClose(): void }) {
  const [text, setText] = useState(() => JSON.stringify(expectationOf(request), null, 2))
  const [result, setResult] = useState<Result>()
  const w = words().requests
  const submit = async (event: Event) => {
    event.preventDefault()
    let body: BodyOf<'POST /verify'>
    try {
      body = JSON.parse(text)
    } catch {
      return setResult({ message: w.badJson })
    }
    try {
      const { matched } = await read('POST /verify', { body })
      setResult({ matched })
    } catch (error) {
      if (error instanceof CallError) setResult({ error })
    }
  }
  return (
    <Dialog title={w.verifyTitle} onClose={onClose} class="wide-dialog">
      <form class="stack" onSubmit={submit}>
        <Field
          label={w.expectation}
          hint={w.verifyWhy}
          error={result && 'message' in result ? result.message : undefined}
        >
          {(attributes) => (
            <textarea
              {...attributes}
              class="mono"
              rows={10}
              spellcheck={false}
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          )}
        </Field>
        {result && 'matched' in result && (
          <p data-tone="good" role="status">
            {w.verified(number(result.matched))}
          </p>
        )}
        {result && 'error' in result && <ErrorPanel error={result.error} />}
        <div class="buttons">
          <button type="submit" class="primary">
            {w.verify}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function expectationOf({ method, path, query, body, response }: RequestMade): BodyOf<'POST /verify'> {
  return {
    method: method as 'GET',
    path,
    ...(Object.keys(query).length > 0 && { query }),
    ...(body !== null && { body: parse(body) }),
    ...(response.status !== null && { status: response.status }),
    at_least: 1,
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
