import { useState } from 'preact/hooks'
import type { BodyOf, RequestMade } from '../../../lib/types.ts'
import { Button } from '../../parts/button.tsx'
import { CopyAs, copyAndSay } from '../../parts/copy_as.tsx'
import { Dialog, DialogButton, FormDialog } from '../../parts/dialog.tsx'
import { ErrorPanel } from '../../parts/feedback.tsx'
import { Field, Input, Text } from '../../parts/form.tsx'
import { useKeys } from '../../parts/keys.ts'
import { ActionButtons } from '../../parts/page.tsx'
import { callOf, curl, testOf } from '../../snippets/call.ts'
import { SNIPPETS } from '../../snippets/index.ts'
import { number } from '../../words/words.ts'
import { formatAddress, pairsOf } from '../../world/address.ts'
import { baseUrl, CallError, change, read } from '../../world/client.ts'
import { address, go, openDetail } from '../../world/navigation.ts'
import { canChange } from '../../world/role.ts'
import { snippetLanguage } from '../../world/settings.ts'
import { worldState } from '../../world/stream.ts'
import { wordsOf } from '../words.ts'
import { parse } from './compare.tsx'
import { pinned, pins } from './list.tsx'

const w = wordsOf('requests')

/** What can be done with a recorded call. */
export function Actions({ request }: { request: RequestMade }) {
  const [isVerifying, setVerifying] = useState(false)
  const { id, method, path } = request
  const isPinned = pinned().some((row) => row.id === id)
  const pin = () => {
    const others = pins.value.filter(({ row }) => row.id !== id)
    pins.value = isPinned ? others : [...others, { state: worldState.value, row: request }]
  }
  const compareHref = formatAddress('requests', [], { ...address.value.query, compare: String(id) })
  useKeys([
    { keys: 'f', title: isPinned ? w.unpin : w.pin, run: pin },
    { keys: 'm', title: w.compare, run: () => go(compareHref) },
  ])
  return (
    <div class="row">
      <a class="button small" href={formatAddress('live', [], { pick: `r${id}` })}>
        {w.seeChain}
      </a>
      <Resend id={id} />
      <DialogButton class="small" title={w.edit} keys="e">
        <EditDialog request={request} />
      </DialogButton>
      <Button class="small" aria-haspopup="dialog" title={w.verify} run={() => setVerifying(true)} />
      <a class="button small" href={compareHref}>
        {w.compare}
      </a>
      <Button class="small" aria-pressed={isPinned} title={isPinned ? w.unpin : w.pin} run={pin} />
      {canChange.value && (
        <a class="button small" href={formatAddress('faults', ['new'], { method, path, status: '503', times: '1' })}>
          {w.fault}
        </a>
      )}
      {isVerifying && <VerifyDialog request={request} onClose={() => setVerifying(false)} />}
    </div>
  )
}

/** Sends the call again with another path, query or body. What is left as it is, is sent as it was, also if it is not shown. */
function EditDialog({ request }: { request: RequestMade }) {
  const { id, method, path, query, body, truncated } = request
  const pairs = pairsOf(query)
  const target = path + (pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '')
  const sent = truncated ? '' : (body ?? '')
  const submit = async ({ target: typed = '', body: text = '' }: { target?: string; body?: string }) => {
    const changed = { ...(typed !== target && { path: typed }), ...(text !== sent.trim() && { body: text }) }
    openDetail((await change(w.edit, 'POST /requests/{id}/resend', { path: { id }, body: changed })).id)
  }
  return (
    <FormDialog title={w.edit} action={w.send} onSubmit={submit}>
      <Input label={`${method} · ${w.address}`} name="target" value={target} required class="mono" autofocus />
      {method !== 'GET' && (
        <Text label={w.sent} class="mono" name="body" rows={8} spellcheck={false} value={sent} hint={w.editHint} />
      )}
    </FormDialog>
  )
}

/** Sends a recorded call again, or the fix of a refused one, and opens the new call. */
export function Resend({ id, fix = false }: { id: number; fix?: boolean }) {
  const title = fix ? w.sendFix : w.resend
  const send = async () =>
    openDetail((await change(title, 'POST /requests/{id}/resend', { path: { id }, body: { fix } })).id)
  return <ActionButtons class="small" of={[{ title, run: send }]} />
}

type Result = { matched: number } | { error: CallError } | { message: string } | undefined

/** Checks an expectation, which begins as this call, and shows what tests would get. */
function VerifyDialog({ request, onClose }: { request: RequestMade; onClose(): void }) {
  const [text, setText] = useState(() => JSON.stringify(expectationOf(request), null, 2))
  const [result, setResult] = useState<Result>()
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

const expectationOf = ({ method, path, query, body, response }: RequestMade): BodyOf<'POST /verify'> => ({
  method: method as 'GET',
  path,
  ...(Object.keys(query).length > 0 && { query }),
  ...(body !== null && { body: parse(body) }),
  ...(response.status !== null && { status: response.status }),
  at_least: 1,
})

/** The call as a command, a program or a test. `c` and `t` copy without opening it. */
export function CopyRequest({ request }: { request: RequestMade }) {
  const call = callOf(request, baseUrl)
  const tested = testOf(request, baseUrl)
  const title = `${tested.title} ${tested.status}`
  const copyTest = () => {
    const { test } =
      SNIPPETS.find(({ name, test }) => test && name === snippetLanguage.value) ?? SNIPPETS.find(({ test }) => test)!
    copyAndSay(test!(title, [tested]))
  }
  useKeys([
    { keys: 'c', title: w.copyCurl, run: () => copyAndSay(curl(call)) },
    { keys: 't', title: w.copyTest, run: copyTest },
  ])
  return (
    <details>
      <summary>{w.copyAs}</summary>
      <CopyAs
        hasTests
        textOf={(language, kind) => (kind === 'call' ? language.call(call) : language.test?.(title, [tested]))}
      />
    </details>
  )
}
