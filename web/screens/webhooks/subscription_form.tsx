import { Check, Input, Options, type Values } from '../../parts/form.tsx'
import { FormDialog } from '../../parts/form_dialog.tsx'
import { visible } from '../../parts/text.ts'
import { notify } from '../../parts/toasts.tsx'
import { number } from '../../words/words.ts'
import { change } from '../../world/client.ts'
import { words } from '../words.ts'
import { PROFILES, type Setting, type Subscription, TOPICS } from './deliveries.ts'

interface FormProps extends Subscription {
  again(): void
  onClose(): void
}

/** Where an application gets its notifications, and how well. */
export function SubscriptionForm({ application, setting, again, onClose }: FormProps) {
  const w = words().webhooks
  const submit = async (values: Values) => {
    const { callback_url, profile, limit } = values
    const { limit_ms: _, ...others } = setting?.overrides ?? {}
    const body = {
      callback_url: callback_url!,
      profile: profile as Setting['profile'],
      topics: TOPICS.filter((topic) => values[topic]),
      overrides: { ...others, ...(limit && { limit_ms: Number(limit) }) },
    }
    await change(w.setUp, 'PUT /applications/{id}/notifications', { path: { id: application.id }, body })
    notify(w.saved)
    again()
  }
  return (
    <FormDialog title={w.setUpOf(visible(application.name))} action={w.save} onSubmit={submit} onClose={onClose}>
      <Input
        label={w.callbackUrl}
        name="callback_url"
        value={setting?.callback_url}
        hint={w.callbackHint}
        required
        maxLength={2000}
        autofocus
      />
      <Options
        label={w.profile}
        name="profile"
        value={setting?.profile}
        options={PROFILES.map((profile) => [profile, w[profile]] as const)}
      />
      <fieldset class="checks">
        <legend>{w.topics}</legend>
        {TOPICS.map((topic) => (
          <Check key={topic} label={topic} name={topic} isChecked={setting?.topics.includes(topic) ?? true} />
        ))}
      </fieldset>
      <Input
        label={w.limitMs}
        name="limit"
        type="number"
        min={1}
        max={60_000}
        value={setting?.overrides.limit_ms?.toString()}
        hint={setting ? w.limitHint(number(setting.numbers.limit_ms)) : undefined}
      />
    </FormDialog>
  )
}
