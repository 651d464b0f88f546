import { useState } from 'preact/hooks'
import { Confirm, FormDialog } from '../../parts/dialog.tsx'
import { ErrorPanel } from '../../parts/feedback.tsx'
import { Check, Input, Options, type Values } from '../../parts/form.tsx'
import { Icon } from '../../parts/icons.tsx'
import { visible } from '../../parts/text.tsx'
import { attempt, notify } from '../../parts/toasts.tsx'
import { timeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { change } from '../../world/client.ts'
import type { Loaded } from '../../world/load.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import { PROFILES, type Setting, type Subscription, TOPICS } from './deliveries.tsx'

interface SubscriptionsProps {
  loaded: Loaded<Subscription[]>
  /** Only this application. */
  app: string | undefined
}

/** How each application is notified, and which of its topics were switched off. */
export function Subscriptions({ loaded: { data, error, again }, app }: SubscriptionsProps) {
  const w = words().webhooks
  if (!data) return error ? <ErrorPanel error={error} again={again} /> : null
  const shown = data.filter(({ application }) => !app || String(application.id) === app)
  return (
    <ul class="subscriptions" aria-label={w.subscriptions}>
      {shown.map((subscription) => (
        <Row key={subscription.application.id} {...subscription} again={again} />
      ))}
    </ul>
  )
}

function Row({ application, setting, again }: Subscription & { again(): void }) {
  const [open, setOpen] = useState<'form' | 'stop'>()
  const { id } = application
  const w = words().webhooks
  const close = () => setOpen(undefined)
  const stop = async () => {
    await change(w.stop, 'DELETE /applications/{id}/notifications', { path: { id } })
    again()
  }
  return (
    <li>
      <strong>
        <bdi>{visible(application.name)}</bdi>
      </strong>
      {setting ? (
        <>
          <bdi class="mono">{visible(setting.callback_url)}</bdi>
          <span class="badge">{setting.profile}</span>
          <span class="muted">{w.limit(number(setting.numbers.limit_ms))}</span>
        </>
      ) : (
        <span class="muted">{w.silent}</span>
      )}
      {canChange.value && (
        <button type="button" class="small" aria-haspopup="dialog" onClick={() => setOpen('form')}>
          {w.setUp}
        </button>
      )}
      {canChange.value && setting && (
        <button type="button" class="small plain" aria-haspopup="dialog" onClick={() => setOpen('stop')}>
          {w.stop}
        </button>
      )}
      {setting && <TopicsOff setting={setting} again={again} />}
      {open === 'form' && (
        <SubscriptionForm application={application} setting={setting} again={again} onClose={close} />
      )}
      {open === 'stop' && (
        <Confirm title={w.setUpOf(visible(application.name))} action={w.stop} onConfirm={stop} onClose={close}>
          {w.stopWhy}
        </Confirm>
      )}
    </li>
  )
}

/** Writing the setting again switches its topics on. */
function TopicsOff({ setting, again }: { setting: Setting; again(): void }) {
  const { application_id, callback_url, topics, profile, overrides, topics_off } = setting
  const w = words().webhooks
  if (topics_off.length === 0) return null
  const switchOn = async () => {
    const given = { path: { id: application_id }, body: { callback_url, topics, profile, overrides } }
    await attempt(() => change(w.switchOn, 'PUT /applications/{id}/notifications', given))
    notify(w.saved)
    again()
  }
  return (
    <span class="topics-off">
      {topics_off.map(({ topic, since }) => (
        <span key={topic} class="badge" data-tone="warn">
          <Icon name="warning" /> {w.topicOff(topic, timeOf(since))}
        </span>
      ))}
      {canChange.value && (
        <button type="button" class="small" onClick={() => void switchOn().catch(() => {})}>
          {w.switchOn}
        </button>
      )}
    </span>
  )
}

interface FormProps extends Subscription {
  again(): void
  onClose(): void
}

/** Where an application gets its notifications, and how well. */
function SubscriptionForm({ application, setting, again, onClose }: FormProps) {
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
