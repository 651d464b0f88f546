import type { AnswerOf } from '../../../lib/types.ts'
import { Code } from '../../parts/code.tsx'
import { Confirm, DialogButton, FormDialog } from '../../parts/dialog.tsx'
import { Skeleton } from '../../parts/feedback.tsx'
import { Input, type Values } from '../../parts/form.tsx'
import { Icon, type IconName } from '../../parts/icons.tsx'
import { visible } from '../../parts/text.tsx'
import { notify } from '../../parts/toasts.tsx'
import { words as common } from '../../words/index.ts'
import { dateTimeOf } from '../../words/time.ts'
import { number } from '../../words/words.ts'
import { formatAddress } from '../../world/address.ts'
import { baseUrl, change, worldId } from '../../world/client.ts'
import { overview, useOverview } from '../../world/overview.ts'
import { Findings } from './findings.tsx'
import { words } from './words.ts'

export default function Overview() {
  const w = words()
  const world = useOverview()
  return (
    <div class="page stack overview">
      <div class="page-head">
        <h1>{w.title}</h1>
        <Actions />
      </div>
      <section class="overview-address">
        <h2 class="label">{w.address}</h2>
        <Code text={baseUrl} label={w.address} />
      </section>
      {world ? (
        <>
          <Attention world={world} />
          <Findings />
          <Counts world={world} />
          <About world={world} />
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

type World = AnswerOf<'GET /overview'>

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

/** The world in numbers; each leads to its screen. */
function Counts({ world }: { world: World }) {
  const w = words()
  const { requests, questions, deliveries, contacts, loans, flex, items, users, snapshots } = world
  const waiting = flex.by_status.pending + flex.by_status.creating + flex.by_status.activating
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0)
  const tiles: [title: string, total: number, detail: string, href: string][] = [
    [w.requests, requests.total, statusesOf(requests.by_status), '#/requests'],
    [w.deliveries, deliveries.by_status.delivered, w.pendingDeliveries(deliveries.by_status.pending), '#/webhooks'],
    [
      w.questions,
      questions.by_status.UNANSWERED,
      w.ofQuestions(sum(questions.by_status)),
      '#/questions?status=UNANSWERED',
    ],
    [w.contacts, sum(contacts), w.contactsDetail(contacts.phone_views, contacts.messaging_clicks), '#/statistics'],
    [w.loans, loans.by_status.in_analysis, w.loansDetail(loans.by_status.approved, loans.expired), '#/credits'],
    [w.flex, flex.by_status.in, w.flexDetail(flex.by_status.out, waiting), '#/flex'],
    [w.items, items, w.users(users), '#/live'],
    [w.snapshots, snapshots, '', '#/worlds'],
  ]
  return (
    <ul class="tiles">
      {tiles.map(([title, total, detail, href]) => (
        <li key={title}>
          <a class="card tile" href={href}>
            <span>{title}</span>
            <strong>{number(total)}</strong>
            <span class="muted">{detail}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** `5 × 2xx, 1 × 4xx` */
const statusesOf = (counts: World['requests']['by_status']): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${number(count)} × ${status === 'none' ? '–' : status}`)
    .join(', ')

/** Where the world comes from and which server has it. */
function About({ world: { world, version, applications } }: { world: World }) {
  const w = words()
  const rows: [name: string, value: string][] = [
    [w.scenario, world.scenario],
    [w.seed, String(world.seed)],
    [w.storage, common()[world.mode]],
    ...(world.created_at === null ? [] : [[w.created, dateTimeOf(world.created_at)] as [string, string]]),
    [w.applications, number(applications)],
    [w.version, version],
  ]
  return (
    <section>
      <h2 class="label">
        {w.about}
        {world.name !== null && <bdi>: {visible(world.name)}</bdi>}
      </h2>
      <dl class="card about">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
