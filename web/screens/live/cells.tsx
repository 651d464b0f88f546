import type { ComponentChildren } from 'preact'
import type { Attempt, ControlEvent } from '../../../lib/types.ts'
import { Icon } from '../../parts/icons.tsx'
import { Method, Status } from '../../parts/status.tsx'
import { visible } from '../../parts/text.tsx'
import { dateTimeOf, durationOf } from '../../words/time.ts'
import type { Entry, PastDelivery } from '../../world/entries.ts'
import { words } from '../words.ts'

/** What a cell of the timeline, or a step of a chain, says about an entry. */
export function Content({ event }: { event: Entry['event'] }): ComponentChildren {
  const w = words().live
  switch (event.type) {
    case 'request':
      return <Call method={event.method} path={event.path} status={event.status} />
    case 'control':
      return <ControlCall event={event} />
    case 'fact':
      return <Resource topic={event.topic} resource={event.resource} />
    case 'attempt':
      return <AttemptCell attempt={event} />
    case 'delivery':
      return <PastCell delivery={event} />
    case 'clock':
      return <ClockMove now={event.now} />
    case 'contact':
      return (
        <span class="cell-text">
          {w.contacts(event.phone_views + event.messaging_clicks + event.questions)}{' '}
          <bdi class="muted">{event.item_id}</bdi>
        </span>
      )
    case 'topic_off':
      return (
        <span class="cell-text" data-tone="bad">
          <Icon name="warning" /> {w.topicOff(event.topic)}
        </span>
      )
  }
}

const ClockMove = ({ now }: { now: string }) => (
  <>
    <Icon name="clock" /> <span class="cell-text">{dateTimeOf(now)}</span>
  </>
)

/** What a person does in the console, in words; other control calls are shown as calls. */
function ControlCall({ event: { method, path, status, at } }: { event: ControlEvent }) {
  const w = words().live
  if (path.startsWith('/clock') && status < 300) return <ClockMove now={at} />
  const labels: Record<string, string> = {
    'POST /questions': w.asked,
    'POST /loans': w.leadMade,
    'POST /contacts': w.contacted,
    'POST /simulate': w.simulated,
  }
  const label = labels[`${method} ${path}`]
  if (label === undefined || status >= 300)
    return <Call method={method} path={path} status={status} isQuiet={status < 300} />
  return <span class="cell-text">{label}</span>
}

interface CallProps {
  method: string
  path: string
  status: number | null
  /** Without its status. */
  isQuiet?: boolean
}

const Call = ({ method, path, status, isQuiet = false }: CallProps) => (
  <>
    <span class="cell-text mono">
      <Method name={method} /> <bdi>{visible(path)}</bdi>
    </span>
    {!isQuiet && <Status code={status} />}
  </>
)

/** `/questions/72` as "Question 72". */
function Resource({ topic, resource }: { topic: string; resource: string }) {
  const w = words().live
  const names: Record<string, string> = {
    questions: w.question,
    items: w.item,
    'leads-credits': w.credit,
    'flex-handshakes': w.flex,
  }
  return (
    <span class="cell-text">
      {names[topic] ?? topic} <bdi class="muted mono">{visible(resource.slice(resource.lastIndexOf('/') + 1))}</bdi>
    </span>
  )
}

function AttemptCell({ attempt: { n, ms, limit_ms, left_ms, http_code, error } }: { attempt: Attempt }) {
  const w = words().live
  const isLate = left_ms !== null && left_ms < 0
  return (
    <>
      <Status code={isLate && http_code === 200 ? null : http_code} />
      {limit_ms !== null && http_code !== null && (
        <meter
          min={0}
          max={limit_ms}
          value={Math.min(ms, limit_ms)}
          high={limit_ms * 0.8}
          aria-label={`${ms} / ${limit_ms} ms`}
        />
      )}
      <span class="cell-text" title={error ?? undefined} data-tone={isLate ? 'bad' : undefined}>
        {http_code === null ? (
          <bdi>{visible(error ?? '')}</bdi>
        ) : (
          <>
            {ms} ms{limit_ms !== null && <span class="muted"> / {durationOf(limit_ms)}</span>}
          </>
        )}
        {n > 1 && ` · ${w.attempt(n)}`}
      </span>
    </>
  )
}

const TONES: Record<PastDelivery['status'], string> = {
  ...{ delivered: 'good', pending: 'info', missed: 'bad' },
  ...{ held: 'warn', dropped: 'plain', silenced: 'plain' },
}

function PastCell({ delivery: { status, attempts } }: { delivery: PastDelivery }) {
  const w = words().live
  return (
    <>
      <span class="badge" data-tone={TONES[status]}>
        {w[status]}
      </span>
      {attempts > 1 && <span class="cell-text muted">{w.attempt(attempts)}</span>}
    </>
  )
}
