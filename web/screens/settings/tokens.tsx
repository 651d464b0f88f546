import { useState } from 'preact/hooks'
import type { BodyOf, Schemas } from '../../../lib/types.ts'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/code.tsx'
import { ConfirmButton, DialogButton, FormDialog } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/feedback.tsx'
import { SearchField } from '../../parts/filters.tsx'
import { Check, Input, Options } from '../../parts/form.tsx'
import { ActionButtons } from '../../parts/page.tsx'
import { ListRows } from '../../parts/rows.tsx'
import { notify } from '../../parts/toasts.tsx'
import { Badge, visible } from '../../parts/values.tsx'
import { dateTimeOf } from '../../words/time.ts'
import { change } from '../../world/client.ts'
import { isViewer } from '../../world/role.ts'
import { useWhole } from '../../world/use_pages.ts'
import { wordsOf } from '../words.ts'

const w = wordsOf('settings')

type Token = Schemas['Token']

export function Tokens({ query: { user_id = '' } }: { query: Record<string, string> }) {
  const user = /^\d+$/.test(user_id) ? { user_id: Number(user_id) } : {}
  const list = useWhole('GET /tokens', user, { first: 20, refreshOn: ['control', 'clock'] })
  return (
    <>
      <div class="row spread">
        <SearchField label={w.ofUser} name="user_id" inputMode="numeric" />
        <DialogButton title={w.newToken} keys="+">
          <NewToken user={user_id} />
        </DialogButton>
      </div>
      <ListRows
        label={w.tokens}
        list={list}
        keyOf={(one) => Object.values(one).join()}
        none={<Empty icon="settings" title={w.noTokens} />}
      >
        {(token) => <TokenRow {...token} />}
      </ListRows>
    </>
  )
}

function TokenRow({ token, user_id, application_id, expires_at, valid }: Token) {
  const path = { token }
  const expire = () => change(w.expire, 'PATCH /tokens/{token}', { path, body: { expires_in: 0 } })
  return (
    <>
      <div>
        <Secret value={token} name={w.tokenOf(user_id)} />{' '}
        <Badge tone={valid ? 'good' : 'plain'}>{valid ? w.valid : w.expired}</Badge>
        <p class="muted">
          {w.tokenOf(user_id)} · {application_id} · {expires_at ? w.until(dateTimeOf(expires_at)) : w.forever}
        </p>
      </div>
      <div class="actions">
        <ActionButtons class="small" of={valid ? [{ title: w.expire, run: expire }] : []} />
        <ConfirmButton
          class="small danger"
          title={w.revoke}
          heading={w.revokeTitle(user_id)}
          onSubmit={() => change(w.revoke, 'DELETE /tokens/{token}', { path })}
        >
          {w.revokeLoss}
        </ConfirmButton>
      </div>
    </>
  )
}

function NewToken({ user }: { user: string }) {
  const submit = async ({ refresh, ...values }: BodyOf<'POST /tokens'>) => {
    const body = { ...values, ...(refresh && { refresh }) }
    const { token, refresh_token } = await change(w.newToken, 'POST /tokens', { body })
    notify(
      <>
        <p>{w.tokenOf(body.user_id)}</p>
        <Secret value={token} name={w.tokenOf(body.user_id)} />
        {refresh_token && <Secret value={refresh_token} name="refresh_token" />}
      </>,
    )
  }
  return (
    <FormDialog title={w.newToken} action={w.createShort} onSubmit={submit}>
      <Input
        label={w.user}
        name="user_id"
        value={user}
        required
        inputMode="numeric"
        placeholder="2500000101"
        autofocus
      />
      <Input label={w.application} name="application_id" inputMode="numeric" hint={w.firstApplication} />
      <Options
        label={w.expiry}
        name="expires_in"
        data-json
        options={[
          ['', w.forever],
          ['21600', w.sixHours],
          ['60', w.oneMinute],
          ['0', w.expired],
        ]}
      />
      <Check label={w.withRefresh} name="refresh" />
    </FormDialog>
  )
}

/** A token or a secret: its end only, until it is asked for. Viewers get it masked by the server. */
export function Secret({ value, name }: { value: string; name: string }) {
  const [isShown, setShown] = useState(false)
  if (isViewer.value) return <span class="mono muted">{visible(value)}</span>
  return (
    <span class="secret">
      <code>{isShown ? visible(value) : `••••${visible(value.slice(-4))}`}</code>{' '}
      <Button
        class="small plain"
        aria-label={`${isShown ? w.hide : w.show}: ${name}`}
        title={isShown ? w.hide : w.show}
        run={() => setShown(!isShown)}
      />
      <CopyButton text={value} />
    </span>
  )
}
