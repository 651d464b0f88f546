import { ConfirmButton, DialogButton, FormDialog } from '../../parts/dialog.tsx'
import { ErrorPanel } from '../../parts/feedback.tsx'
import { Check, Input, Options, titled } from '../../parts/form.tsx'
import { Icon } from '../../parts/icons.tsx'
import { ActionButtons } from '../../parts/page.tsx'
import { notify } from '../../parts/toasts.tsx'
import { Badge, foreign, visible } from '../../parts/values.tsx'
import { timeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { change } from '../../world/client.ts'
import type { Loaded } from '../../world/load.ts'
import { wordsOf } from '../words.ts'
import { PROFILES, type Setting, type Subscription, TOPICS, type Topic } from './deliveries.tsx'

const w = wordsOf('webhooks')

interface SubscriptionsProps {
  loaded: Loaded<Subscription[]>
  /** Only this application. */
  app: string | undefined
}

/** How each application is notified, and which of its topics were switched off. */
export function Subscriptions({ loaded: { data, error, again }, app }: SubscriptionsProps) {
  if (!data) return error ? <ErrorPanel error={error} again={again} /> : null
  const shown = data.filter(({ application }) => !app || String(application.id) === app)
  return (
    <ul class="subscriptions" aria-label={w.applications}>
      {shown.map((subscription) => (
        <Row key={subscription.application.id} {...subscription} />
      ))}
    </ul>
  )
}

function Row({ application, setting }: Subscription) {
  const { id, name } = application
  return (
    <li>
      <strong>{foreign(name)}</strong>
      {setting ? (
        <>
          {foreign(setting.callback_url, 'mono')}
          <Badge>{setting.profile}</Badge>
          <span class="muted">{w.limit(number(setting.numbers.limit_ms))}</span>
        </>
      ) : (
        <span class="muted">{w.noWebhooks}</span>
      )}
      <DialogButton class="small" title={w.setUp}>
        <SubscriptionForm application={application} setting={setting} />
      </DialogButton>
      {setting && (
        <ConfirmButton
          class="small plain"
          title={w.stop}
          heading={w.setUpOf(visible(name))}
          onSubmit={() => change(w.stop, 'DELETE /applications/{id}/notifications', { path: { id } })}
        >
          {w.stopWhy}
        </ConfirmButton>
      )}
      {setting && <TopicsOff setting={setting} />}
    </li>
  )
}

/** Writing the setting again switches its topics on. */
function TopicsOff({ setting }: { setting: Setting }) {
  const { application_id, callback_url, topics, profile, overrides, topics_off } = setting
  if (topics_off.length === 0) return null
  const given = { path: { id: application_id }, body: { callback_url, topics, profile, overrides } }
  const switchOn = () => change(w.switchOn, 'PUT /applications/{id}/notifications', given)
  return (
    <span class="row topics-off">
      {topics_off.map(({ topic, since }) => (
        <Badge key={topic} tone="warn">
          <Icon name="warning" /> {w.topicOff(topic, timeOf(since))}
        </Badge>
      ))}
      <ActionButtons class="small" of={[{ title: w.switchOn, run: switchOn, said: w.saved }]} />
    </span>
  )
}

type Fields = Pick<Setting, 'callback_url' | 'profile'> & { limit_ms?: number } & Record<Topic, boolean>

/** Where an application gets its notifications, and how well. */
function SubscriptionForm({ application, setting }: Subscription) {
  const submit = async ({ callback_url, profile, limit_ms, ...isOn }: Fields) => {
    const { limit_ms: _, ...others } = setting?.overrides ?? {}
    const topics = TOPICS.filter((topic) => isOn[topic])
    const body = { callback_url, profile, topics, overrides: { ...others, ...(limit_ms && { limit_ms }) } }
    await change(w.setUp, 'PUT /applications/{id}/notifications', { path: { id: application.id }, body })
    notify(w.saved)
  }
  return (
    <FormDialog title={w.setUpOf(visible(application.name))} action={w.save} onSubmit={submit}>
      <Input
        label={w.callbackUrl}
        name="callback_url"
        value={setting?.callback_url}
        hint={w.callbackHint}
        required
        maxLength={2000}
        autofocus
      />
      <Options label={w.profile} name="profile" value={setting?.profile} options={titled(PROFILES, w)} />
      <fieldset class="checks">
        <legend>{w.topics}</legend>
        {TOPICS.map((topic) => (
          <Check key={topic} label={topic} name={topic} isChecked={setting?.topics.includes(topic) ?? true} />
        ))}
      </fieldset>
      <Input
        label={w.limitMs}
        name="limit_ms"
        type="number"
        min={1}
        max={60_000}
        value={setting?.overrides.limit_ms}
        hint={setting ? w.limitHint(number(setting.numbers.limit_ms)) : undefined}
      />
    </FormDialog>
  )
}
