import { useState } from 'preact/hooks'
import type { BodyOf, Schemas } from '../../../lib/types.ts'
import { DialogButton, FormDialog } from '../../parts/dialog.tsx'
import { Empty, Show } from '../../parts/feedback.tsx'
import { SearchField } from '../../parts/filters.tsx'
import { Check, Input, Options, type Values } from '../../parts/form.tsx'
import { Rows } from '../../parts/rows.tsx'
import { visible } from '../../parts/text.tsx'
import { notify } from '../../parts/toasts.tsx'
import { change } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { words } from '../words.ts'

const SITES = 'MLA MLB MLM MLC MCO MLU MPE MEC MLV MBO MPY MCR MPA MRD MGT MHN MNI MSV MCU'.split(' ')

export function Users({ query: { q } }: { query: Record<string, string> }) {
  const w = words().settings
  const [limit, setLimit] = useState(20)
  const loaded = useCall(
    'GET /users',
    { query: { limit, q: q || undefined } },
    { refreshOn: ({ type }) => type === 'control' },
  )
  return (
    <>
      <div class="row spread">
        <SearchField label={w.nickname} value={q} />
        <DialogButton title={w.newUser} keys="+" dialog={(close) => <NewUser onClose={close} again={loaded.again} />} />
      </div>
      <Show loaded={loaded}>
        {(page) =>
          page.results.length === 0 ? (
            <Empty icon="settings" title={w.noUsers} />
          ) : (
            <Rows label={w.users} page={page} keyOf={({ id }) => id} onLimit={setLimit}>
              {(user) => <UserRow user={user} again={loaded.again} />}
            </Rows>
          )
        }
      </Show>
    </>
  )
}

function UserRow({ user, again }: { user: Schemas['User']; again(): void }) {
  const w = words().settings
  const { id, nickname, site_id, seller_reputation, status, operator } = user
  return (
    <>
      <div>
        <strong>
          <bdi>{visible(nickname)}</bdi>
        </strong>{' '}
        {status.site_status !== 'active' && (
          <span class="badge" data-tone="warn">
            {visible(status.site_status)}
          </span>
        )}{' '}
        {operator && <span class="badge">{w.operator}</span>}
        <p class="muted">
          <code>{id}</code> · {site_id} · {seller_reputation.level_id ? w.seller(seller_reputation.level_id) : w.buyer}
        </p>
      </div>
      <div class="actions">
        <a class="button small" href={`#/settings/tokens?user_id=${id}`}>
          {w.tokens}
        </a>
        <DialogButton
          class="small"
          title={w.change}
          dialog={(close) => <ChangeUser user={user} onClose={close} again={again} />}
        />
      </div>
    </>
  )
}

function ChangeUser({ user, onClose, again }: { user: Schemas['User']; onClose(): void; again(): void }) {
  const w = words().settings
  const submit = async ({ password, operator }: Values) => {
    const body = { ...(password && { password }), operator: operator !== undefined }
    await change(w.change, 'PATCH /users/{id}', { path: { id: user.id }, body })
    again()
  }
  return (
    <FormDialog title={w.changeUser(user.nickname)} action={w.change} onSubmit={submit} onClose={onClose}>
      <Input label={w.newPassword} name="password" hint={w.newPasswordHint} autofocus />
      <Check label={w.isOperator} name="operator" isChecked={user.operator} />
    </FormDialog>
  )
}

function NewUser({ onClose, again }: { onClose(): void; again(): void }) {
  const w = words().settings
  const submit = async ({ site_id, nickname, level_id }: Values) => {
    const body: BodyOf<'POST /users'> = {
      site_id: site_id as 'MLA',
      ...(nickname && { nickname }),
      level_id: (level_id || null) as '5_green' | null,
    }
    const user = await change(w.newUser, 'POST /users', { body })
    notify(
      <a href={`#/settings/tokens?user_id=${user.id}`}>
        {visible(user.nickname)} · {user.id}
      </a>,
    )
    again()
  }
  const levels = ['5_green', '4_light_green', '3_yellow', '2_orange', '1_red']
  return (
    <FormDialog title={w.newUser} action={w.create} onSubmit={submit} onClose={onClose}>
      <Input label={w.nickname} name="nickname" hint={w.nicknameHint} autofocus />
      <div class="field-row">
        <Options label={w.site} name="site_id" options={SITES.map((site) => [site, site] as const)} />
        <Options
          label={w.reputation}
          name="level_id"
          options={[['', w.buyer], ...levels.map((level) => [level, w.seller(level)] as const)]}
        />
      </div>
    </FormDialog>
  )
}
