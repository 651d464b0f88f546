import type { BodyOf, Schemas } from '../../../lib/types.ts'
import { FormDialog } from '../../parts/dialog.tsx'
import { Check, Input, Options } from '../../parts/form.tsx'
import { visible } from '../../parts/values.tsx'
import { SITES } from '../../words/money.ts'
import { change } from '../../world/client.ts'
import { openDetail } from '../../world/navigation.ts'
import { wordsOf } from '../words.ts'

const w = wordsOf('users')

export type User = Schemas['User']
const LEVELS = ['5_green', '4_light_green', '3_yellow', '2_orange', '1_red'] as const

/** Changes a user, or creates one. */
export function UserForm({ user }: { user?: User }) {
  const submit = async ({ inactive, ...values }: BodyOf<'POST /users'> & { inactive: boolean }) => {
    const status = inactive ? ('deactive' as const) : ('active' as const)
    const body = { ...values, ...((user || inactive) && { status }) }
    if (user) await change(w.edit, 'PATCH /users/{id}', { path: { id: user.id }, body })
    else openDetail((await change(w.create, 'POST /users', { body })).id)
  }
  return (
    <FormDialog
      title={user ? w.changeUser(visible(user.nickname)) : w.create}
      action={user ? w.save : w.create}
      onSubmit={submit}
    >
      <Input label={w.nickname} name="nickname" value={user?.nickname} hint={w.nicknameHint} autofocus />
      <div class="field-row">
        {!user && <Options label={w.site} name="site_id" options={SITES} />}
        <Options
          label={w.reputation}
          name="level_id"
          data-empty="null"
          value={user?.seller_reputation.level_id}
          options={[['', w.isBuyer], ...LEVELS.map((level) => [level, w.sellerOf(level)] as const)]}
        />
      </div>
      {user && <Input label={w.newPassword} name="password" hint={w.newPasswordHint} />}
      <Check label={w.isOperator} name="operator" isChecked={user?.operator ?? false} />
      <Check
        label={w.isInactive}
        name="inactive"
        isChecked={user !== undefined && user.status.site_status !== 'active'}
      />
    </FormDialog>
  )
}
