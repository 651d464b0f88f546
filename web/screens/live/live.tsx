import { useEffect, useState } from 'preact/hooks'
import { CopyAs } from '../../parts/copy_as.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty, Skeleton } from '../../parts/feedback.tsx'
import { SearchField } from '../../parts/filters.tsx'
import { Icon } from '../../parts/icons.tsx'
import { useKeys } from '../../parts/keys.ts'
import { isRefused } from '../../parts/status.tsx'
import { attempt } from '../../parts/toasts.tsx'
import { askAgain, type TestedCall, testOf, withVariable } from '../../snippets/call.ts'
import { words as common } from '../../words/index.ts'
import { durationOf } from '../../words/time.ts'
import { type Address, formatAddress, whyHref } from '../../world/address.ts'
import type { Links, Row } from '../../world/chain.ts'
import { baseUrl, read } from '../../world/client.ts'
import { type Entry, LANES, type Lane } from '../../world/entries.ts'
import { setQuery } from '../../world/navigation.ts'
import {
  chain,
  isEmpty,
  isLoaded,
  isPaused,
  laneCounts,
  links,
  rows,
  startTimeline,
  togglePause,
  waiting,
} from '../../world/timeline.ts'
import { words } from '../words.ts'
import { Content } from './cells.tsx'
import { Phone } from './phone.tsx'
import { Timeline } from './timeline.tsx'

export default function Live({ query }: Address) {
  const w = words().live
  const { pick, item, q } = query
  useEffect(startTimeline, [])
  useKeys([{ keys: 'p', title: isPaused.value ? common().resume : common().pause, run: togglePause }])
  const picked = pick === undefined ? undefined : chain(pick)
  return (
    <div class="live">
      <div class="filters">
        <h1>{w.title}</h1>
        <SearchField label={common().filter} value={q} />
        <button type="button" class="small" aria-pressed={isPaused.value} onClick={togglePause}>
          <Icon name={isPaused.value ? 'play' : 'pause'} />
          {isPaused.value ? `${common().resume} · ${common().waiting(waiting.value)}` : common().pause}
        </button>
      </div>
      <div class="live-panes">
        <Phone item={item} />
        {isEmpty.value ? (
          isLoaded.value ? (
            <Empty icon="live" title={w.nothing}>
              <p>{w.nothingWhy}</p>
            </Empty>
          ) : (
            <Skeleton />
          )
        ) : (
          <Timeline
            rows={filtered(rows.value, q)}
            query={query}
            picked={picked && new Set(picked.map(({ key }) => key))}
          />
        )}
      </div>
      {picked && isLoaded.value && <ChainStrip chain={picked} links={links.value} pick={pick!} />}
      <Log />
    </div>
  )
}

/** Lines with the text in any of their entries. */
function filtered(all: Row[], text: string | undefined): Row[] {
  if (!text) return all
  const wanted = text.toLowerCase()
  return all.filter(({ cells }) =>
    cells.some((entry) => entry && JSON.stringify(entry.event).toLowerCase().includes(wanted)),
  )
}

/** Ms between two announcements: a screen reader must be able to keep up. */
const EVERY_MS = 5000

/** Says to screen readers how much has happened; the lines can be read in the table. */
function Log() {
  const [text, setText] = useState('')
  const w = words().live
  useEffect(() => {
    let before = laneCounts()
    const timer = setInterval(() => {
      const now = laneCounts()
      const [, calls, changes, webhooks] = LANES.map((lane: Lane) => now[lane] - before[lane]) as [
        number,
        number,
        number,
        number,
      ]
      before = now
      if (calls + changes + webhooks > 0) setText(w.summary(calls, changes, webhooks))
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [w])
  return (
    <div class="hidden" role="log">
      {text}
    </div>
  )
}

interface ChainProps {
  chain: Entry[]
  links: Links
  pick: string
}

/** The picked entry with what caused it and what followed, step by step. */
function ChainStrip({ chain, links, pick }: ChainProps) {
  const w = words().live
  const close = () => setQuery({ pick: undefined })
  useKeys([{ keys: 'Escape', title: w.closeChain, run: close }])
  return (
    <section class="chain" aria-label={w.chain}>
      <header class="row">
        <h2 class="label">{w.chain}</h2>
        <CopyChain chain={chain} />
        <button type="button" class="plain small" onClick={close} aria-label={w.closeChain}>
          <Icon name="close" />
        </button>
      </header>
      {chain.length === 0 ? (
        <p class="muted">{w.noChain}</p>
      ) : (
        <ol>
          {chain.map((entry, n) => (
            <li key={entry.key} data-lane={entry.lane} data-picked={entry.key === pick}>
              <Step entry={entry} />
              <small class="muted">
                {w[entry.lane]}
                {n > 0 && ` · +${durationOf(Math.max(0, entry.realAt - chain[n - 1]!.realAt))}`}
                {links.causeOf.get(entry.key)?.inferred && ` · ${w.inferred}`}
              </small>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** A step is a link where another screen shows more of it. */
function Step({ entry: { event } }: { entry: Entry }) {
  const href = hrefOf(event)
  const content = <Content event={event} />
  return href === undefined ? (
    <span class="entry">{content}</span>
  ) : (
    <a class="entry" href={href}>
      {content}
    </a>
  )
}

function hrefOf(event: Entry['event']): string | undefined {
  if (event.type === 'request')
    return isRefused(event.status) ? whyHref(event.id) : formatAddress('requests', [event.id])
  if (event.type === 'attempt') return formatAddress('webhooks', [event.delivery_id])
  if (event.type === 'delivery') return formatAddress('webhooks', [event.id])
  if (event.type === 'fact' && event.topic === 'questions')
    return formatAddress('questions', [event.resource.slice(event.resource.lastIndexOf('/') + 1)])
  return undefined
}

/** The chain as one test: the buyer asks again, and the program's calls follow. */
function CopyChain({ chain }: { chain: Entry[] }) {
  const [calls, setCalls] = useState<TestedCall[]>()
  const w = common()
  const load = () => void attempt(() => testedCalls(chain)).then(setCalls, () => {})
  const hasCalls = chain.some(({ event }) => event.type === 'request')
  useKeys(hasCalls ? [{ keys: 't', title: w.copyTest, run: load }] : [])
  if (!hasCalls) return null
  const title = calls?.at(-1)?.title ?? ''
  return (
    <>
      <button type="button" class="small" aria-haspopup="dialog" onClick={load}>
        {w.copyTest}
      </button>
      {calls && (
        <Dialog title={w.copyTest} class="wide-dialog" onClose={() => setCalls(undefined)}>
          <CopyAs textOf={({ test }) => test?.(title, calls)} />
        </Dialog>
      )}
    </>
  )
}

/** The calls of a chain with their bodies. The number of the question is another each time: a variable takes its place. */
async function testedCalls(chain: Entry[]): Promise<TestedCall[]> {
  const ids = chain.flatMap(({ event }) => (event.type === 'request' ? event.id : []))
  const recorded = await Promise.all(ids.map((id) => read('GET /requests/{id}', { path: { id } })))
  const calls = recorded.map((request) => testOf(request, baseUrl))
  const asked = chain.find(({ event }) => event.type === 'control' && event.path === '/questions')
  const fact = asked && chain.find(({ event }) => event.type === 'fact' && event.topic === 'questions')
  if (fact?.event.type !== 'fact') return calls
  const id = Number(fact.event.resource.slice(fact.event.resource.lastIndexOf('/') + 1))
  const question = await read('GET /questions/{id}', { path: { id } })
  return [askAgain(question, baseUrl), ...calls.map((call) => withVariable(call, String(id), 'question'))]
}
