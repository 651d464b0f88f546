import { useState } from 'preact/hooks'
import { Confirm } from '../../parts/dialog.tsx'
import { ErrorPanel } from '../../parts/feedback.tsx'
import { Icon } from '../../parts/icons.tsx'
import { visible } from '../../parts/text.ts'
import { attempt, notify } from '../../parts/toasts.tsx'
import { timeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { change } from '../../world/client.ts'
import type { Loaded } from '../../world/load.ts'
import { canChange } from '../../world/role.ts'
import { words } from '../words.ts'
import type { Setting, Subscription } from './deliveries.ts'
import { SubscriptionForm } from './subscription_form.tsx'

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
