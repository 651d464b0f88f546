import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Confirm, DialogButton, FormDialog } from '../../parts/dialog.tsx'
import { Environment } from '../../parts/environment.tsx'
import { Skeleton } from '../../parts/feedback.tsx'
import { Input, type Values } from '../../parts/form.tsx'
import { Icon, type IconName } from '../../parts/icons.tsx'
import { visible } from '../../parts/text.tsx'
import { notify } from '../../parts/toasts.tsx'
import { words as common } from '../../words/index.ts'
import { dateTimeOf } from '../../words/time.ts'
import { formatAddress } from '../../world/address.ts'
import { change, worldId } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { overview, useOverview, type World } from '../../world/overview.ts'
import { words } from './words.ts'

export default function Overview() {
  const w = words()
  const world = useOverview()
  const info = useCall('GET /worlds/{id}', { path: { id: worldId } })
  const [Activity, setActivity] = useState<ComponentType<{ world: World }>>()
  // What is below can wait until the rest is seen.
  useEffect(() => void import('../others.ts').then(({ activity }) => setActivity(() => activity)), [])
  return (
    <div class="page stack overview">
      <div class="page-head">
        <h1>{w.title}</h1>
        <Actions />
      </div>
      <section class="overview-address">
        <h2 class="label">{w.address}</h2>
        <Environment token={info.data?.sellers[0]?.token ?? ''} />
      </section>
      {world ? (
        <>
          <Attention world={world} />
          {Activity && <Activity world={world} />}
          <Contents world={world} />
        </>
      ) : (
        <Skeleton />
      )}
    </div>
  )
}

/** What concerns the whole world. */
function Actions() {
  const w = words()
  const save = async ({ name = '' }: Values) => {
    await change(w.snapshot, 'POST /snapshots', { body: { name } })
    notify(<a href="#/worlds">{w.saved(name)}</a>)
  }
  const reset = async () => {
    await change(w.reset, 'POST /reset', { body: { keep_requests: true } })
    notify(w.resetDone)
  }
  const name = overview.value?.world.name ?? common().world(worldId)
  const isKept = overview.value?.world.mode === 'kept'
  return (
    <div class="row">
      <DialogButton
        title={w.snapshot}
        dialog={(close) => (
          <FormDialog title={w.snapshot} action={w.snapshot} onSubmit={save} onClose={close}>
            <Input label={w.snapshotName} name="name" required />
          </FormDialog>
        )}
      />
      <DialogButton
        title={w.reset}
        dialog={(close) => (
          <Confirm
            title={w.resetTitle(visible(name))}
            action={w.reset}
            typed={isKept ? name : undefined}
            onConfirm={reset}
            onClose={close}
          >
            <p>{w.resetWhy}</p>
          </Confirm>
        )}
      />
    </div>
  )
}

interface Finding {
  text: string
  href: string
  tone: 'bad' | 'warn' | 'info'
}

/** What a person would want to know first: what is wrong, and where to look. */
function Attention({ world }: { world: World }) {
  const w = words()
  const { total } = world.requests
  const findings = findingsOf(world)
  if (total === 0 && findings.length === 0)
    return (
      <a class="card begin" href="#/start">
        <Icon name="start" />
        <span>
          <strong>{w.begin}</strong>
          <span class="muted">{w.beginWhy}</span>
        </span>
      </a>
    )
  return (
    <section>
      <h2 class="label">{w.attention}</h2>
      <ul class="findings attention">
        {findings.length === 0 && (
          <li class="card" data-tone="good">
            <Icon name="done" /> <span>{w.allWell}</span>
          </li>
        )}
        {findings.map(({ text, href, tone }) => (
          <li key={text}>
            <a class="card" href={href} data-tone={tone}>
              <Icon name={ICONS[tone]} /> <span>{text}</span> <Icon name="next" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

const ICONS: Record<Finding['tone'], IconName> = { bad: 'warning', warn: 'warning', info: 'requests' }

function findingsOf({ topics_off, deliveries, faults, requests }: World): Finding[] {
  const w = words()
  const calls = (status: string) => formatAddress('requests', [], { status })
  const webhooks = (status: string) => formatAddress('webhooks', [], { status })
  const found: [n: number, text: (n: number) => string, href: string, tone: Finding['tone']][] = [
    [deliveries.by_status.missed, w.missed, webhooks('missed'), 'bad'],
    [requests.by_status['5xx'], w.failed, calls('5xx'), 'bad'],
    [requests.by_status.none, w.unanswered, calls('0'), 'bad'],
    [faults.active, (n) => w.faults(n, faults.hits), '#/faults', 'warn'],
    [requests.by_status['4xx'], w.refused, calls('4xx'), 'warn'],
    [deliveries.by_status.held, w.held, webhooks('held'), 'warn'],
    [requests.dropped, w.dropped, '#/requests', 'info'],
  ]
  return [
    ...topics_off.map(({ topic, application_id }): Finding => {
      return { text: w.topicOff(topic, application_id), href: '#/webhooks', tone: 'bad' }
    }),
    ...found.flatMap(([n, text, href, tone]) => (n > 0 ? { text: text(n), href, tone } : [])),
  ]
}

/** What the world contains, and where it comes from, in a line of links each. */
function Contents({
  world: { world, questions, loans, flex, contacts, items, users, snapshots, ...rest },
}: {
  world: World
}) {
  const w = words()
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0)
  const links: [text: string, href: string][] = [
    [w.items(items), '#/listings'],
    [w.users(users), '#/users'],
    [w.questions(sum(questions.by_status), questions.by_status.UNANSWERED), '#/questions'],
    [w.contacts(sum(contacts)), '#/statistics'],
    [w.loans(sum(loans.by_status)), '#/credits'],
    [w.flex(sum(flex.by_status)), '#/flex'],
    [w.snapshots(snapshots), '#/worlds'],
    [w.applications(rest.applications), '#/settings'],
  ]
  return (
    <footer class="muted overview-contents">
      <h2 class="label">
        {w.about}
        {world.name !== null && <bdi>: {visible(world.name)}</bdi>}
      </h2>
      <p>
        {links.map(([text, href]) => (
          <a key={href} href={href}>
            {text}
          </a>
        ))}
      </p>
      <p>
        {[
          `${w.scenario} ${world.scenario}, ${w.seed} ${world.seed}`,
          common()[world.mode],
          world.created_at && `${w.created} ${dateTimeOf(world.created_at)}`,
          `mercadito ${rest.version}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </footer>
  )
}
