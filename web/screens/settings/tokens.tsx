import { useState } from 'preact/hooks'
import type { BodyOf, Schemas } from '../../../lib/types.ts'
import { CopyButton } from '../../parts/code.tsx'
import { Confirm, DialogButton, FormDialog } from '../../parts/dialog.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { SearchField } from '../../parts/filters.tsx'
import { Check, Input, Options, type Values } from '../../parts/form.tsx'
import { Rows } from '../../parts/rows.tsx'
import { visible } from '../../parts/text.tsx'
import { attempt, notify } from '../../parts/toasts.tsx'
import { dateTimeOf } from '../../words/time.ts'
import { change } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { canChange, isViewer } from '../../world/role.ts'
import { words } from '../words.ts'

type Token = Schemas['Token']

export function Tokens({ query: { user_id = '' } }: { query: Record<string, string> }) {
  const w = words().settings
  const [limit, setLimit] = useState(20)
  const user = /^\d+$/.test(user_id) ? { user_id: Number(user_id) } : {}
  const loaded = useCall(
    'GET /tokens',
    { query: { limit, ...user } },
    { refreshOn: ({ type }) => type === 'control' || type === 'clock' },
  )
  return (
    <>
      <div class="row spread">
        <SearchField label={w.ofUser} name="user_id" value={user_id} inputMode="numeric" />
        <DialogButton
          title={w.newToken}
          keys="+"
          dialog={(close) => <NewToken user={user_id} onClose={close} again={loaded.again} />}
        />
      </div>
      <Show loaded={loaded}>
        {(page) =>
          page.results.length === 0 ? (
            <Empty icon="settings" title={w.noTokens} />
          ) : (
            <Rows label={w.tokens} page={page} keyOf={(one) => Object.values(one).join()} onLimit={setLimit}>
              {(token) => <TokenRow token={token} again={loaded.again} />}
            </Rows>
          )
        }
      </Show>
    </>
  )
}

function TokenRow({
  token: { token, user_id, application_id, expires_at, valid },
  again,
}: {
  token: Token
  again(): void
}) {
  const w = words().settings
  const path = { token }
  const expire = () =>
    attempt(() => change(w.expire, 'PATCH /tokens/{token}', { path, body: { expires_in: 0 } })).then(again, () => {})
  const revoke = () => change(w.revoke, 'DELETE /tokens/{token}', { path }).then(again)
  return (
    <>
      <div>
        <Secret value={token} name={w.tokenOf(user_id)} />{' '}
        <span class="badge" data-tone={valid ? 'good' : 'plain'}>
          {valid ? w.valid : w.expired}
        </span>
        <p class="muted">
          {w.tokenOf(user_id)} · {application_id} · {expires_at ? w.until(dateTimeOf(expires_at)) : w.forever}
        </p>
      </div>
      {canChange.value && (
        <div class="actions">
          {valid && (
            <button type="button" class="small" onClick={expire}>
              {w.expire}
            </button>
          )}
          <DialogButton
            class="small danger"
            title={w.revoke}
            dialog={(close) => (
              <Confirm title={w.revokeTitle(user_id)} action={w.revoke} onConfirm={revoke} onClose={close}>
                {w.revokeLoss}
              </Confirm>
            )}
          />
        </div>
      )}
    </>
  )
}

function NewToken({ user, onClose, again }: { user: string; onClose(): void; again(): void }) {
  const w = words().settings
  const submit = async ({ user_id, application_id, expires_in, refresh }: Values) => {
    const body: BodyOf<'POST /tokens'> = {
      user_id: Number(user_id),
      ...(application_id && { application_id: Number(application_id) }),
      ...(expires_in && { expires_in: Number(expires_in) }),
      ...(refresh && { refresh: true }),
    }
    const { token, refresh_token } = await change(w.newToken, 'POST /tokens', { body })
    notify(
      <>
        <p>{w.tokenOf(body.user_id)}</p>
        <Secret value={token} name={w.tokenOf(body.user_id)} />
        {refresh_token && <Secret value={refresh_token} name="refresh_token" />}
      </>,
    )
    again()
  }
  return (
    <FormDialog title={w.newToken} action={w.create} onSubmit={submit} onClose={onClose}>
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
  const w = words().settings
  const [isShown, setShown] = useState(false)
  if (isViewer.value) return <span class="mono muted">{visible(value)}</span>
  return (
    <span class="secret">
      <code>{isShown ? visible(value) : `••••${visible(value.slice(-4))}`}</code>{' '}
      <button
        type="button"
        class="small plain"
        onClick={() => setShown(!isShown)}
        aria-label={`${isShown ? w.hide : w.show}: ${name}`}
      >
        {isShown ? w.hide : w.show}
      </button>
      <CopyButton text={value} />
    </span>
  )
}
