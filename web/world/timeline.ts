import { computed, effect, signal } from '@preact/signals'
import { chainOf, linksOf, rowsOf } from './chain.ts'
import { read } from './client.ts'
import { worldNow } from './clock.ts'
import { addEntries, type Entry, entryOf, historyOf, isRefusedEntry, LANES, type Lane } from './entries.ts'
import { keepReading } from './load.ts'
import { onEvents, streamState, worldState } from './stream.ts'

/** Entries of the past that are read when the timeline begins. */
const HISTORY = 100
/** Ms between two looks at the lists while the tab is hidden and has no stream. */
const HIDDEN_MS = 5000
/** Users whose names are shown. */
const USERS = 200

export const entries = signal<Entry[]>([])
/** Key of the last entry that is shown while the timeline is paused. */
const pausedAt = signal<string | undefined>(undefined)
export const isLoaded = signal(false)
export const isPaused = computed(() => pausedAt.value !== undefined)

/** What is shown: all, or all until the pause. */
const shown = computed(() => {
  const { value } = entries
  const last = pausedAt.value === undefined ? -1 : value.findIndex(({ key }) => key === pausedAt.value)
  return last < 0 ? value : value.slice(0, last + 1)
})
export const waiting = computed(() => entries.value.length - shown.value.length)
export const links = computed(() => linksOf(entries.value))
export const rows = computed(() => rowsOf(shown.value, links.value))
const byKey = computed(() => new Map(entries.value.map((entry) => [entry.key, entry])))
export const entryWith = (key: string | undefined): Entry | undefined => byKey.value.get(key ?? '')
export const causeOf = (key: string): Entry | undefined => entryWith(links.value.causeOf.get(key)?.key)

/** The chain of an entry; empty if it is not known. */
export const chain = (key: string): Entry[] =>
  chainOf(entries.value, links.value, key).flatMap((one) => entryWith(one) ?? [])

/** The names of users by their numbers. */
export const users = signal(new Map<number, string>())

export function togglePause(): void {
  pausedAt.value = pausedAt.value === undefined ? entries.value.at(-1)?.key : undefined
}

type Counts = Record<Lane | 'refused', number>
/** Entries that have come since the page was opened. */
export const counts = signal<Counts>({ outside: 0, calls: 0, changes: 0, webhooks: 0, refused: 0 })
/** Whether the newest line is in sight. */
export const isAtEnd = signal(true)
const seen = signal(counts.peek())
/** What has come since the newest line was seen: out of sight, or while the tab is hidden. */
export const news = computed(() => {
  const added = (name: keyof Counts) => counts.value[name] - seen.value[name]
  return { all: LANES.reduce((sum, lane) => sum + added(lane), 0), refused: added('refused') }
})

let serial = 0
let hasStarted = false
/** Ms from the browser's clock to that of the server. */
let skew = 0

/** Follows the world from now on, also while other screens are shown. */
export function startTimeline(): void {
  if (hasStarted) return
  hasStarted = true
  onEvents((events) => {
    const now = Date.now()
    for (const event of events) if (event.type === 'request') skew = Date.parse(event.real_at) + event.ms - now
    add(events.flatMap((event) => entryOf(event, now + skew, worldNow.peek() ?? now, ++serial) ?? []))
  })
  worldState.subscribe(() => {
    entries.value = []
    pausedAt.value = undefined
    isLoaded.value = false
  })
  effect(() => {
    if (isAtEnd.value && streamState.value !== 'closed') seen.value = counts.value
  })
  keepReading(readHistory, addHistory)
  setInterval(() => document.hidden && readHistory().then(addHistory, () => {}), HIDDEN_MS)
  keepReading(
    () => read('GET /users', { query: { limit: USERS } }),
    ({ results }) => {
      users.value = new Map(results.map(({ id, nickname }) => [id, nickname]))
    },
  )
}

function add(added: Entry[], isNew = true): void {
  if (isNew) {
    const sums = { ...counts.peek() }
    for (const entry of added) {
      if (byKey.peek().has(entry.key)) continue
      sums[entry.lane]++
      if (isRefusedEntry(entry)) sums.refused++
    }
    counts.value = sums
  }
  entries.value = addEntries(entries.value, added)
}

/** Attempts that were seen say more than the state of their delivery. Entries that are known are newer. */
function addHistory(history: Entry[]): void {
  const attempted = new Set(entries.peek().flatMap(({ event }) => (event.type === 'attempt' ? event.delivery_id : [])))
  const isNew = ({ key, event }: Entry) =>
    event.type === 'delivery' ? !attempted.has(event.id) : !byKey.peek().has(key)
  add(history.filter(isNew), isLoaded.peek())
  isLoaded.value = true
}

async function readHistory(): Promise<Entry[]> {
  const limit = HISTORY
  const order = 'desc'
  const [requests, controlCalls, facts, deliveries] = await Promise.all([
    read('GET /requests', { query: { order, limit, bodies: 'false' } }),
    read('GET /control-calls', { query: { order, limit } }),
    read('GET /facts', { query: { limit } }),
    read('GET /deliveries', { query: { limit } }),
  ])
  return historyOf({
    requests: requests.results,
    controlCalls: controlCalls.results,
    facts: facts.results,
    deliveries: deliveries.results.map((delivery) => ({ type: 'delivery' as const, ...delivery })),
  })
}
