import { computed, signal } from '@preact/signals'
import { chainOf, linksOf, rowsOf } from './chain.ts'
import { read } from './client.ts'
import { worldNow } from './clock.ts'
import { addEntries, type Entry, entryOf, historyOf, type Lane } from './entries.ts'
import { keepReading } from './load.ts'
import { onEvents, worldState } from './stream.ts'

/** Entries of the past that are read when the timeline begins. */
const HISTORY = 100

const entries = signal<Entry[]>([])
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
export const isEmpty = computed(() => entries.value.length === 0)

/** The chain of an entry; empty if it is not known. */
export function chain(key: string): Entry[] {
  const byKey = new Map(entries.value.map((entry) => [entry.key, entry]))
  return chainOf(entries.value, links.value, key).flatMap((one) => byKey.get(one) ?? [])
}

export function togglePause(): void {
  pausedAt.value = pausedAt.value === undefined ? entries.value.at(-1)?.key : undefined
}

const counts: Record<Lane, number> = { outside: 0, calls: 0, changes: 0, webhooks: 0 }
/** Entries of each lane since the page was opened. */
export const laneCounts = (): Record<Lane, number> => ({ ...counts })

let serial = 0
let hasStarted = false

/** Follows the world from now on, also while other screens are shown. */
export function startTimeline(): void {
  if (hasStarted) return
  hasStarted = true
  onEvents((events) => {
    const now = Date.now()
    const added = events.flatMap((event) => entryOf(event, now, worldNow.peek() ?? now, ++serial) ?? [])
    for (const { lane } of added) counts[lane]++
    entries.value = addEntries(entries.value, added)
  })
  worldState.subscribe(() => {
    entries.value = []
    pausedAt.value = undefined
  })
  keepReading(readHistory, (history) => {
    // Attempts that were seen say more than the state of their delivery. Entries that came meanwhile are newer.
    const known = new Set(entries.peek().flatMap(({ event }) => (event.type === 'attempt' ? event.delivery_id : [])))
    const isNew = ({ event }: Entry) => event.type !== 'delivery' || !known.has(event.id)
    entries.value = addEntries(history.filter(isNew), entries.peek())
    isLoaded.value = true
  })
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
