import { useState } from 'preact/hooks'
import { Field, TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form_dialog.tsx'
import { visible } from '../../parts/text.ts'
import { notify } from '../../parts/toasts.tsx'
import { number } from '../../words/words.ts'
import { change } from '../../world/client.ts'
import { PROFILES, type Setting, type Subscription, TOPICS } from './deliveries.ts'
import { words } from './words.ts'

interface FormProps extends Subscription {
  again(): void
  onClose(): void
}

/** Where an application gets its notifications, and how well. */
export function SubscriptionForm({ application, setting, again, onClose }: FormProps) {
  const [url, setUrl] = useState(setting?.callback_url ?? '')
  const [profile, setProfile] = useState<Setting['profile']>(setting?.profile ?? 'ideal')
  const [topics, setTopics] = useState(setting?.topics ?? TOPICS)
  const [limit, setLimit] = useState(String(setting?.overrides.limit_ms ?? ''))
  const w = words()

  const submit = async () => {
    const { limit_ms: _, ...others } = setting?.overrides ?? {}
    const overrides = { ...others, ...(limit !== '' && { limit_ms: Number(limit) }) }
    const given = { path: { id: application.id }, body: { callback_url: url, topics, profile, overrides } }
    await change(w.setUp, 'PUT /applications/{id}/notifications', given)
    notify(w.saved)
    again()
  }
  return (
    <FormDialog title={w.setUpOf(visible(application.name))} action={w.save} onSubmit={submit} onClose={onClose}>
      <TextField
        label={w.callbackUrl}
        hint={w.callbackHint}
        value={url}
        onValue={setUrl}
        attributes={{ required: true, autoFocus: true, maxLength: 2000 }}
      />
      <Field label={w.profile}>
        {(more) => (
          <select
            {...more}
            value={profile}
            onChange={({ currentTarget }) => setProfile(currentTarget.value as Setting['profile'])}
          >
            {PROFILES.map((one) => (
              <option key={one} value={one}>
                {w[one]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <fieldset class="checks">
        <legend>{w.topics}</legend>
        {TOPICS.map((topic) => (
          <label key={topic}>
            <input
              type="checkbox"
              checked={topics.includes(topic)}
              onChange={({ currentTarget: { checked } }) =>
                setTopics(TOPICS.filter((one) => (one === topic ? checked : topics.includes(one))))
              }
            />
            {topic}
          </label>
        ))}
      </fieldset>
      <TextField
        label={w.limitMs}
        hint={setting ? w.limitHint(number(setting.numbers.limit_ms)) : undefined}
        value={limit}
        onValue={setLimit}
        attributes={{ type: 'number', min: 1, max: 60_000 }}
      />
    </FormDialog>
  )
}
