import { useContext, useEffect, useState } from 'preact/hooks'
import { Environment } from '../../parts/environment.tsx'
import { Skeleton } from '../../parts/feedback.tsx'
import { Icon, type IconName } from '../../parts/icons.tsx'
import { ScreenTitle } from '../../parts/page.tsx'
import { visible } from '../../parts/values.tsx'
import { words as common } from '../../words/index.ts'
import { dateTimeOf } from '../../words/time.ts'
import { formatAddress } from '../../world/address.ts'
import { worldId } from '../../world/client.ts'
import { useCall } from '../../world/load.ts'
import { useOverview, type World } from '../../world/overview.ts'
import { words as w } from './words.ts'

type Others = Pick<typeof import('../others.ts'), 'activity' | 'ResetButton' | 'SnapshotButton'>

export default function Overview() {
  const world = useOverview()
  const info = useCall('GET /worlds/{id}', { path: { id: worldId } })
  const [others, setOthers] = useState<Others>()
  // What is below, and the dialogs, can wait until the rest is seen.
  useEffect(() => void import('../others.ts').then(setOthers), [])
  const Activity = others?.activity
  const name = world?.world.name ?? common.world(worldId)
  return (
    <div class="page stack overview">
      <div class="page-head">
        <h1>{useContext(ScreenTitle)}</h1>
        {others && (
          <div class="row">
            <others.SnapshotButton />
            <others.ResetButton name={name} isKept={world?.world.mode === 'kept'} />
          </div>
        )}
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

interface Finding {
  text: string
  href: string
  tone: 'bad' | 'warn' | 'info'
}

/** What a person would want to know first: what is wrong, and where to look. */
function Attention({ world }: { world: World }) {
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
          common[world.mode],
          world.created_at && `${w.created} ${dateTimeOf(world.created_at)}`,
          `mercadito ${rest.version}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </footer>
  )
}
