import type { AnswerOf } from '../../../lib/types.ts'
import { Icon, type IconName } from '../../parts/icons.tsx'
import { formatAddress } from '../../world/address.ts'
import { words } from './words.ts'

type World = AnswerOf<'GET /overview'>

interface Finding {
  text: string
  href: string
  tone: 'bad' | 'warn' | 'info'
}

/** What a person would want to know first: what is wrong, and where to look. */
export function Attention({ world }: { world: World }) {
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
