import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button, IconButton } from '../../parts/button.tsx'
import { CopyAs } from '../../parts/copy_as.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Show } from '../../parts/feedback.tsx'
import { Body } from '../../parts/json.tsx'
import { useKeys } from '../../parts/keys.ts'
import { Section } from '../../parts/page.tsx'
import { attempt } from '../../parts/toasts.tsx'
import { FactList, foreign, isRefused } from '../../parts/values.tsx'
import { askAgain, type TestedCall, testOf, withVariable } from '../../snippets/call.ts'
import { dateTimeOf, durationOf, localTimeOf } from '../../words/time.ts'
import { language } from '../../words/words.ts'
import { formatAddress, whyHref } from '../../world/address.ts'
import { baseUrl, orNull, read } from '../../world/client.ts'
import { type Entry, replacementOf, usersOf } from '../../world/entries.ts'
import { useFound, useLoad } from '../../world/load.ts'
import { go, setQuery } from '../../world/navigation.ts'
import { chain, entryWith, links } from '../../world/timeline.ts'
import { titleOf } from '../index.ts'
import { words, wordsOf } from '../words.ts'
import { byOf, Content } from './cells.tsx'
import { nameOf } from './filters.tsx'
import { Link } from './links.tsx'

const w = wordsOf('live')

interface PanelProps {
  /** Key of the picked entry. */
  pick: string
  query: Record<string, string>
}

/** The picked entry, and the chain of what caused it and what followed. */
export function Panel({ pick, query }: PanelProps) {
  const close = () => setQuery({ pick: undefined })
  useKeys([{ keys: 'Escape', title: w.close, run: close }])
  const entry = entryWith(pick)
  const steps = chain(pick)
  return (
    <section class="split-detail live-panel stack" aria-label={w.picked}>
      <IconButton class="plain" icon="close" title={w.close} run={close} />
      {entry ? <Head entry={entry} /> : <p class="muted">{w.noChain}</p>}
      {steps.length > 0 && (
        <section class="chain stack" aria-label={w.chain}>
          <header class="row spread">
            <h2>{w.chain}</h2>
            <CopyChain chain={steps} />
          </header>
          <ol>
            {steps.map((step, n) => (
              <li key={step.key} data-lane={step.lane}>
                <a
                  class="entry"
                  href={formatAddress('live', [], { ...query, pick: step.key })}
                  aria-current={step.key === pick ? 'true' : undefined}
                >
                  <Content entry={step} note={noteOf(step, steps[n - 1])} />
                </a>
              </li>
            ))}
          </ol>
        </section>
      )}
      {entry && (
        <>
          <FactList of={factsOf(entry)} />
          <Bodies key={entry.key} event={entry.event} />
          <Link entry={entry} />
        </>
      )}
    </section>
  )
}

/** How long after the step before it, and whether the link is a guess. */
function noteOf({ key, realAt }: Entry, before: Entry | undefined): string {
  if (!before?.realAt) return ''
  const { inferred } = links.value.causeOf.get(key) ?? {}
  return `+${durationOf(Math.max(0, realAt - before.realAt))}${inferred ? ` · ${w.inferred}` : ''}`
}

function Head({ entry }: { entry: Entry }) {
  const { event, lane, realAt } = entry
  return (
    <header class="stack">
      <h2 class="label" data-lane={lane}>
        {w[lane]} · <time>{localTimeOf(realAt)}</time>
      </h2>
      <Content entry={entry} />
      {event.type === 'request' && isRefused(event.status) && <Reason key={event.id} id={event.id} />}
      {replacementOf(entry) && <WhatNow />}
    </header>
  )
}

/** What can be done after the state of the world was replaced. */
export const WhatNow = () => (
  <p class="muted">
    {w.replacedWhy} <a href="#/worlds">{titleOf('worlds')}</a>
  </p>
)

function factsOf(entry: Entry): (readonly [string, ComponentChildren])[] {
  const { event, at } = entry
  const user = usersOf(entry).map(nameOf).join(', ') || null
  return [
    [w.worldTime, dateTimeOf(at)],
    [w.by, byOf(event) || null],
    [w.call, event.type === 'control' ? `${event.method} ${event.path} → ${event.status}` : null],
    [w.resource, 'resource' in event ? event.resource : null],
    [words.requests.user, user],
    [words.requests.application, 'application_id' in event ? event.application_id : null],
    [w.failure, event.type === 'attempt' ? event.error : null],
    ...(event.type === 'request'
      ? ([
          [words.requests.query, event.path.includes('?') ? event.path.slice(event.path.indexOf('?') + 1) : null],
          [words.requests.faults, event.faults.join(', ') || null],
          ['Stub', event.stub],
        ] as const)
      : []),
  ]
}

interface Exchange {
  sent: string | null
  answered: string | null
  truncated: boolean
}

/** Of a call, of an attempt, or of the latest attempt of a delivery. */
async function exchangeOf(event: Entry['event'], signal: AbortSignal): Promise<Exchange | null> {
  if (event.type === 'request') {
    const request = await orNull(read('GET /requests/{id}', { path: { id: event.id }, signal }))
    return request && { sent: request.body, answered: request.response.body, truncated: request.response.truncated }
  }
  if (event.type !== 'attempt' && event.type !== 'delivery') return null
  const id = event.type === 'attempt' ? event.delivery_id : event.id
  const tries = (await orNull(read('GET /deliveries/{id}', { path: { id }, signal })))?.tries ?? []
  const made = event.type === 'attempt' ? tries.find(({ n }) => n === event.n) : tries.at(-1)
  return made ? { sent: made.request.body, answered: made.body, truncated: false } : null
}

/** What was sent and answered. */
const Bodies = ({ event }: { event: Entry['event'] }) => (
  <Show loaded={useLoad((signal) => exchangeOf(event, signal))}>
    {(exchange) =>
      exchange && (
        <>
          {exchange.sent && (
            <Section title={words.requests.sent}>
              <Body text={exchange.sent} />
            </Section>
          )}
          <Section title={words.requests.answered}>
            <Body text={exchange.answered} />
            {exchange.truncated && <p class="muted">{w.truncated}</p>}
          </Section>
        </>
      )
    }
  </Show>
)

/** Why a call was refused, in a sentence; `w` opens the rest. */
function Reason({ id }: { id: number }) {
  useKeys([{ keys: 'w', title: w.why, run: () => go(whyHref(id)) }])
  const loaded = useFound('GET /requests/{id}/explain', { path: { id }, query: { lang: language.value } })
  return (
    <p class="reason">
      {foreign(loaded.data?.text ?? '')} <a href={whyHref(id)}>{w.why}</a>
    </p>
  )
}

/** The chain as one test: the buyer asks again, and the program's calls follow. */
function CopyChain({ chain }: { chain: Entry[] }) {
  const [calls, setCalls] = useState<TestedCall[]>()
  const load = () => void attempt(() => testedCalls(chain)).then(setCalls, () => {})
  const hasCalls = chain.some(({ event }) => event.type === 'request')
  useKeys(hasCalls ? [{ keys: 't', title: w.copyTest, run: load }] : [])
  if (!hasCalls) return null
  const title = calls?.at(-1)?.title ?? ''
  return (
    <>
      <Button class="small" aria-haspopup="dialog" title={w.copyTest} run={load} />
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
