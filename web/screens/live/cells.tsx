import type { ComponentChildren } from 'preact'
import type { Attempt, ControlEvent } from '../../../lib/types.ts'
import { Icon } from '../../parts/icons.tsx'
import { Badge, Method, Status, visible } from '../../parts/values.tsx'
import { durationOf, minuteOf, shortDayOf } from '../../words/time.ts'
import { type Entry, replacementOf, usersOf } from '../../world/entries.ts'
import { TONES } from '../webhooks/deliveries.tsx'
import { words, wordsOf } from '../words.ts'
import { changeOf, objectOf } from './changes.ts'
import { nameOf } from './filters.tsx'

const w = wordsOf('live')

/** What an entry is, and below whom it concerns and how long it took. */
export function Content({ entry, note }: { entry: Entry; note?: string }) {
  const { event } = entry
  const more = [note, ...moreOf(event), ...usersOf(entry).map(nameOf), subjectOf(event)].filter(Boolean).join(' · ')
  return (
    <span class="entry-text">
      <span class="entry-line">
        <What entry={entry} />
      </span>
      <small class="entry-line muted">
        {'ms' in event && <Duration ms={event.ms} limit={event.type === 'attempt' ? event.limit_ms : null} />}
        <span class="cell-text" title={more}>
          {more}
        </span>
      </small>
    </span>
  )
}

function What({ entry }: { entry: Entry }): ComponentChildren {
  const { event } = entry
  switch (event.type) {
    case 'request':
      return <Call method={event.method} path={event.path} status={event.status} />
    case 'control':
      return <ControlCall entry={entry} event={event} />
    case 'fact':
      return <span class="cell-text">{changeOf(entry)}</span>
    case 'attempt':
      return (
        <>
          <Status code={event.left_ms !== null && event.left_ms < 0 ? null : event.http_code} />
          <span class="cell-text">{objectOf(event)}</span>
        </>
      )
    case 'delivery':
      return (
        <>
          <Badge tone={TONES[event.status]}>{words.webhooks[event.status].toLowerCase()}</Badge>
          <span class="cell-text">{objectOf(event)}</span>
        </>
      )
    case 'clock':
      return <ClockMove now={event.now} />
    case 'contact':
      return <span class="cell-text">{w.contacts(event.phone_views + event.messaging_clicks + event.questions)}</span>
    case 'topic_off':
      return (
        <span class="cell-text" data-tone="bad">
          <Icon name="warning" /> {w.topicOff(event.topic)}
        </span>
      )
    case 'gap':
      return <span class="cell-text muted">{w.notStored(event.first - event.after - 1)}</span>
  }
}

/** The second line: how long, by whom, what went wrong. */
function moreOf(event: Entry['event']): (string | null)[] {
  if (event.type === 'control') return [durationOf(event.ms), byOf(event)]
  if (event.type === 'request')
    return [event.found && w.ofTotal(event.found.shown, event.found.total), durationOf(event.ms)]
  if (event.type === 'attempt')
    return [lengthOf(event), event.n > 1 ? w.attempt(event.n) : null, visible(event.error ?? '')]
  return event.type === 'delivery' && event.attempts > 1 ? [w.attempt(event.attempts)] : []
}

/** Who made a control call; empty if that is not known. */
export const byOf = (event: Entry['event']): string => {
  const by = event.type === 'control' ? (event.by ?? '') : ''
  return by === 'console' ? w.console : visible(by)
}

/** The end of the second line, which may be cut: the query, the topic, the listing. */
function subjectOf(event: Entry['event']): string | undefined {
  if (event.type === 'request') return visible(event.path.split('?').slice(1).join('?'))
  return event.type === 'contact' ? visible(event.item_id) : 'topic' in event ? event.topic : undefined
}

const lengthOf = ({ ms, limit_ms }: Attempt): string =>
  limit_ms === null ? durationOf(ms) : `${durationOf(ms)} / ${durationOf(limit_ms)}`

/** Calls of this many ms fill the bar; it is logarithmic, because most take two and some a second. */
const FULL_MS = 10_000

/** A duration against a limit, else on a scale that is the same for all. The text beside it says the same. */
function Duration({ ms, limit }: { ms: number; limit: number | null }) {
  const title = limit === null ? durationOf(ms) : `${durationOf(ms)} / ${durationOf(limit)}`
  const [value, max] = limit === null ? [Math.log1p(ms), Math.log1p(FULL_MS)] : [ms, limit]
  return (
    <meter
      max={max}
      high={limit === null ? max : max * 0.8}
      value={Math.min(value, max)}
      title={title}
      aria-hidden="true"
    />
  )
}

const ClockMove = ({ now }: { now: string }) => (
  <>
    <Icon name="clock" />{' '}
    <span class="cell-text">
      {shortDayOf(now)} {minuteOf(now)}
    </span>
  </>
)

/** What a person does in the console, in words; other control calls are shown as calls. */
function ControlCall({ entry, event: { method, path, status, at } }: { entry: Entry; event: ControlEvent }) {
  if (path.startsWith('/clock') && status < 300) return <ClockMove now={at} />
  const labels: Record<string, string> = {
    'POST /questions': w.asked,
    'POST /loans': w.leadMade,
    'POST /orders': w.bought,
    'POST /messages': w.wrote,
    'POST /claims': w.claimOpened,
    'PATCH /claims/{id}': w.claimDecided,
    'POST /shipments/{id}/advance': w.moved,
    'PATCH /shipments/{id}': w.moved,
    'POST /contacts': w.contacted,
    'POST /simulate': w.simulated,
  }
  const replacement = replacementOf(entry)
  if (replacement) return <strong class="cell-text">{w[replacement]}</strong>
  const label = labels[`${method} ${path.replace(/\/\d+/, '/{id}')}`]
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
    <Method name={method} />
    <Middle text={visible(path.split('?')[0]!)} />
    {!isQuiet && <Status code={status} />}
  </>
)

/** Characters at the end that stay, and of texts that are not cut. */
const END = 8

/** Text that is cut in its middle where there is little room: both ends of an address say what it is. */
const Middle = ({ text }: { text: string }) => (
  <bdi class="middle mono" title={text}>
    {text.length <= 2 * END ? (
      <span>{text}</span>
    ) : (
      <>
        <span>{text.slice(0, -END)}</span>
        <span>{text.slice(-END)}</span>
      </>
    )}
  </bdi>
)
