import { Show } from '../../parts/feedback.tsx'
import { foreign, Status, visible } from '../../parts/values.tsx'
import { dateTimeOf, distanceOf, durationOf, minuteOf, timeOf } from '../../words/time.ts'
import { language, number } from '../../words/words.ts'
import { formatAddress, whyHref } from '../../world/address.ts'
import { read } from '../../world/client.ts'
import { worldNow } from '../../world/clock.ts'
import { useCall, useLoad } from '../../world/load.ts'
import type { World } from '../../world/overview.ts'
import { describe } from '../clock/due_list.tsx'
import { Findings } from './findings.tsx'
import { words as w } from './words.ts'

const REFUSALS = 3
const DUE = 3
/** Explanations cost more than other reads. */
const REFRESH_MS = 3000

/** What the programs did lately, and what will happen next. */
export default function Activity({ world }: { world: World }) {
  return (
    <div class="activity">
      <Curves minutes={world.requests.minutes} />
      <Refusals />
      <Next />
      <Findings />
    </div>
  )
}

type Minutes = World['requests']['minutes']

/** Requests, refusals and durations, each as a small curve. */
function Curves({ minutes }: { minutes: Minutes }) {
  const curves: [title: string, values: number[], text: (value: number) => string][] = [
    [w.requests, minutes.map(({ total }) => total), number],
    [w.refusals, minutes.map(({ refused }) => refused), number],
    [w.p95, minutes.map(({ p95_ms }) => p95_ms ?? 0), durationOf],
  ]
  const sum = (values: number[]) => values.reduce((a, b) => a + b, 0)
  return (
    <section class="card">
      <h2 class="label">{w.lastMinutes}</h2>
      <ul class="minutes">
        {curves.map(([title, values, text]) => (
          <li key={title}>
            <span>{title}</span>
            <strong>{text(text === number ? sum(values) : Math.max(...values))}</strong>
            <Curve values={values} label={w.curve(title, values.map(text).join(', '))} />
          </li>
        ))}
      </ul>
      <small class="muted">
        {minuteOf(minutes[0]!.at)} – {minuteOf(minutes.at(-1)!.at)} UTC
      </small>
    </section>
  )
}

const WIDTH = 120
const HEIGHT = 28

/** The highest value reaches the top. */
function Curve({ values, label }: { values: number[]; label: string }) {
  const top = Math.max(1, ...values)
  const points = values.map(
    (value, n) =>
      `${((n / (values.length - 1)) * WIDTH).toFixed(1)},${(HEIGHT - 1 - (value / top) * (HEIGHT - 2)).toFixed(1)}`,
  )
  return (
    <svg class="curve" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <polygon points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />
      <polyline points={points.join(' ')} />
    </svg>
  )
}

/** The latest refused calls, each with the sentence that says why. */
function Refusals() {
  const lang = language.value
  const loaded = useLoad(
    async (signal) => {
      const query = { status: '4xx', order: 'desc' as const, limit: REFUSALS, bodies: 'false' as const }
      const { results } = await read('GET /requests', { query, signal })
      const explain = ({ id }: { id: number }) =>
        read('GET /requests/{id}/explain', { path: { id }, query: { lang, fix: 'false' }, signal })
      return Promise.all(results.map(async (call) => ({ call, why: await explain(call) })))
    },
    { key: lang, refreshOn: ['request'], refreshMs: REFRESH_MS },
  )
  if (loaded.data?.length === 0) return null
  return (
    <section class="card tall">
      <h2 class="label">{w.lastRefusals}</h2>
      <Show loaded={loaded}>
        {(refused) => (
          <ul class="refusals">
            {refused.map(({ call: { id, at, method, path, response }, why }) => (
              <li key={id}>
                <a href={whyHref(id)}>
                  <Status code={response.status} />{' '}
                  <bdi class="mono">
                    {method} {visible(path)}
                  </bdi>
                </a>{' '}
                <time class="muted" dateTime={at}>
                  {timeOf(at)}
                </time>
                <p class="muted">{foreign(why.text)}</p>
              </li>
            ))}
          </ul>
        )}
      </Show>
    </section>
  )
}

/** What time will bring first. */
function Next() {
  const loaded = useCall('GET /clock/due', { query: { limit: DUE } }, { refreshOn: ({ type }) => type !== 'request' })
  const now = worldNow.value
  return (
    <section class="card">
      <h2 class="label">
        <a href={formatAddress('clock')}>{w.next}</a>
      </h2>
      <Show loaded={loaded}>
        {({ results }) => (
          <ul class="next-due">
            {results.length === 0 && <li class="muted">{w.nothingNext}</li>}
            {results.map((due, n) => {
              const { title, href } = describe(due)
              return (
                <li key={n}>
                  <bdi>{href ? <a href={href}>{visible(title)}</a> : visible(title)}</bdi>{' '}
                  <time class="muted" dateTime={due.at} title={dateTimeOf(due.at)}>
                    {now !== undefined && distanceOf(Date.parse(due.at), now)}
                  </time>
                </li>
              )
            })}
          </ul>
        )}
      </Show>
    </section>
  )
}
