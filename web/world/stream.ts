import { signal } from '@preact/signals'
import type { AnyEvent } from '../../lib/types.ts'
import { client, withToken } from './client.ts'
import { EVENT_KINDS } from './events.ts'
import { throttle } from './throttle.ts'

/** `closed`: the tab is hidden; it must not occupy one of the browser's six connections. */
export const streamState = signal<'connecting' | 'live' | 'lost' | 'closed'>('connecting')
/** Increases when events may have been missed or the state of the world was replaced: all that is shown loads again. */
export const epoch = signal(0)
/** Another value is another state, as after a reset or a restart of the server: its numbers may begin again. */
export const worldState = signal<string | undefined>(undefined)

/** The world does not exist, or was deleted. */
export const isWorldGone = signal(false)

/** Ms before a new attempt to connect; the last one repeats. */
const RETRY_MS = [250, 500, 1000, 2000, 5000]

/** Ms between two updates of the page: a single event is shown at once, a flood five times a second. */
const FLUSH_MS = 200

/** Ms between two gaps that load everything again: in a flood they never end. */
const GAP_MS = 2000

type Listener = (events: AnyEvent[]) => void
const listeners = new Set<Listener>()
let buffer: AnyEvent[] = []
let lastEventId: number | undefined
/** The stream ends because the state of the world was replaced: the next one begins at once. */
let isReplaced = false
let current: AbortController | undefined
let onFirstAttempt = () => {}
/** Resolves when the stream is connected, or failed to: what is read later misses no event. */
export const firstAttempt = new Promise<void>((resolve) => {
  onFirstAttempt = resolve
})

/** Calls the listener with the events since the last update. Returns a function that ends it. */
export function onEvents(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** One stream for the tab, while it is visible. */
export function openStream(): void {
  document.addEventListener('visibilitychange', adapt)
  adapt()
}

function adapt(): void {
  current?.abort()
  current = undefined
  if (document.hidden) {
    streamState.value = 'closed'
    onFirstAttempt()
    return
  }
  current = new AbortController()
  void follow(current.signal)
}

async function follow(signal: AbortSignal): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    const onConnected = () => {
      attempt = 0
      if (streamState.peek() !== 'connecting') epoch.value++
      streamState.value = 'live'
      onFirstAttempt()
    }
    const error = await readStream(signal, onConnected).catch((error: { status?: number }) => error)
    onFirstAttempt()
    if (signal.aborted) return
    if (error?.status === 404) {
      isWorldGone.value = true
      return
    }
    if (isReplaced) {
      isReplaced = false
      continue
    }
    streamState.value = 'lost'
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]))
  }
}

function readStream(signal: AbortSignal, onConnected: () => void): Promise<void> {
  return withToken(async () => {
    const fetchAndTell: typeof fetch = async (...given) => {
      const answer = await fetch(...given)
      if (!answer.ok) return answer
      enterState(answer.headers.get('x-sandbox-state') ?? '')
      if (isReplaced) {
        await answer.body!.cancel()
        throw new Error('the stream begins after an event of another state')
      }
      onConnected()
      return answer
    }
    const options = { signal, kinds: EVENT_KINDS, ...(lastEventId !== undefined && { last_event_id: lastEventId }) }
    for await (const event of client(fetchAndTell).events(options)) receive(event)
  })
}

/** What was received belongs to one state. */
function enterState(state: string): void {
  const isOther = worldState.peek() !== undefined && worldState.peek() !== state
  isReplaced = isOther && lastEventId !== undefined
  if (isOther) {
    buffer = []
    lastEventId = undefined
  }
  worldState.value = state
}

function receive(event: AnyEvent): void {
  if (event.type === 'fact') lastEventId = event.id
  if (event.type === 'gap') reloadSoon()
  if (event.type === 'world') {
    isReplaced = true
    lastEventId = undefined
  }
  if (buffer.push(event) === 1) flushSoon()
}

const reloadSoon = throttle(GAP_MS, () => {
  epoch.value++
})

const flushSoon = throttle(FLUSH_MS, () => requestAnimationFrame(flush))

function flush(): void {
  const events = buffer
  buffer = []
  for (const listener of listeners) listener(events)
}
