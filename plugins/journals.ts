import type { FastifyRequest } from 'fastify'
import { realNow } from '../db/clock.ts'
import type { Life } from '../db/world.ts'
import './auth.ts'
import './bodies.ts'
import { pathOf } from './wildcards.ts'

declare module 'http' {
  interface IncomingMessage {
    /** Rules by which it went wrong. */
    fault_ids?: number[]
    /** Not of the emulated API: nothing is written down of it. */
    aside?: boolean
  }
}

/** A text of which no more than the first 8 KiB are kept. */
export interface Kept {
  text: string
  whole: boolean
}

/**
 * One call and what it was answered, as it went over the wire: secrets and all. What is shown of it passes redaction.
 */
export interface Entry {
  /** Its number in this state of the world, in the order of the answers. */
  id: number
  /** Real time, ms, when it came. */
  at: number
  /** World time, ms, when it was answered. */
  world_time: number
  method: string
  url: string
  headers: Record<string, string>
  body: Kept | null
  user_id: number | null
  application_id: number | null
  fault_ids: number[]
  /** null: it got no answer. */
  status: number | null
  answer: Kept | null
  /** How long it took, ms. */
  ms: number
  /** About how much memory it takes, bytes. */
  size: number
}

/** The latest calls of one state of a world. */
export interface Journal {
  /** Oldest first. */
  entries(): Entry[]
  /** Entries that had to go to make room. */
  dropped: number
  clear(): void
}

/** The journals of all worlds: in memory, bounded, never a write. */
export interface Journals {
  of(life: Life): Journal
  /** Writes down what was answered; `status` null where nothing could be. */
  record(request: FastifyRequest, status: number | null, answer: unknown): void
}

const MOST_ENTRIES = 1000
/** Bytes for one world, and for all of them. */
const MOST_OF_ONE = 4 * 1024 * 1024
const MOST_OF_ALL = 64 * 1024 * 1024
const MOST_TEXT = 8 * 1024
/** What an entry takes beside its texts. */
const FRAME = 600

interface Ring extends Journal {
  /** The n-th entry, from 1, stands at (n − 1) modulo the most there may be. */
  places: (Entry | undefined)[]
  first: number
  next: number
  bytes: number
}

export function openJournals(mostOfAll = MOST_OF_ALL): Journals {
  const rings = new WeakMap<Life, Ring>()
  // Insertion order: the one written to last stands last.
  const used = new Set<Ring>()
  let latest: Ring | undefined
  let bytes = 0

  function ringOf(life: Life): Ring {
    let ring = rings.get(life)
    if (!ring) {
      const made = newRing((n) => {
        bytes -= n
      })
      ring = made
      rings.set(life, made)
      life.onEnd.push(() => {
        made.clear()
        forget(made)
      })
    }
    return ring
  }

  function forget(ring: Ring): void {
    used.delete(ring)
    if (latest === ring) latest = undefined
  }

  function put(ring: Ring, entry: Entry): void {
    if (latest !== ring) {
      used.delete(ring)
      used.add(ring)
      latest = ring
    }
    if (ring.next - ring.first === MOST_ENTRIES) dropOldest(ring)
    ring.places[(ring.next - 1) % MOST_ENTRIES] = entry
    ring.next++
    ring.bytes += entry.size
    bytes += entry.size
    while (ring.bytes > MOST_OF_ONE) dropOldest(ring)
    while (bytes > mostOfAll) {
      const [oldest] = used
      dropOldest(oldest!)
      if (oldest!.first === oldest!.next) forget(oldest!)
    }
  }

  function dropOldest(ring: Ring): void {
    const place = (ring.first - 1) % MOST_ENTRIES
    const { size } = ring.places[place]!
    ring.places[place] = undefined
    ring.first++
    ring.dropped++
    ring.bytes -= size
    bytes -= size
  }

  return {
    of: ringOf,
    record(request, status, answer) {
      const { raw, world } = request
      // What ends on a state that is no more belongs to nobody's journal.
      if (raw.aside || !world || world.retired) return
      const ring = ringOf(world.life)
      const entry = entryOf(request, status, answer)
      entry.id = ring.next
      put(ring, entry)
    },
  }
}

function newRing(freed: (bytes: number) => void): Ring {
  return {
    places: [],
    first: 1,
    next: 1,
    bytes: 0,
    dropped: 0,
    entries() {
      const all: Entry[] = []
      for (let n = this.first; n < this.next; n++) all.push(this.places[(n - 1) % MOST_ENTRIES]!)
      return all
    },
    clear() {
      freed(this.bytes)
      this.places = []
      this.first = this.next
      this.bytes = 0
      this.dropped = 0
    },
  }
}

/**
 * Only references are taken of what is short, and copies of the beginning of what is long: this is on every call's way.
 */
function entryOf(request: FastifyRequest, status: number | null, answer: unknown): Entry {
  const { raw, caller, world } = request
  const now = realNow()
  const at = raw.came_at ?? now
  const { method = 'GET', url = '/' } = raw
  const body = kept(raw.jsonp_body ?? raw.sent_body)
  const told = method === 'HEAD' ? null : kept(answer)
  const headers: Record<string, string> = {}
  let letters = url.length + (body?.text.length ?? 0) + (told?.text.length ?? 0)
  for (const name of SHOWN) {
    const sent = raw.headers[name]
    if (sent === undefined) continue
    headers[name] = HIDDEN[name] ?? shortened(String(sent))
    letters += headers[name].length
  }
  if (raw.content_type !== undefined) headers['content-type'] = shortened(raw.content_type)
  return {
    id: 0,
    at,
    world_time: world.clock.now(),
    method,
    url,
    headers,
    body,
    user_id: caller?.user_id ?? null,
    application_id: caller?.application_id ?? null,
    fault_ids: raw.fault_ids ?? NONE,
    status,
    answer: told,
    ms: now - at,
    size: FRAME + 2 * letters,
  }
}

const NONE: number[] = []

/** Headers that say something about a call; those that bear secrets only tell that they were there. */
const SHOWN = ['authorization', 'cookie', 'accept', 'user-agent', 'origin', 'x-sandbox', 'x-sandbox-fault']
const HIDDEN: Record<string, string> = { authorization: '***', cookie: '***' }
const MOST_HEADER = 200

const shortened = (text: string): string => (text.length > MOST_HEADER ? copied(text, MOST_HEADER) : text)

function kept(sent: unknown): Kept | null {
  if (typeof sent !== 'string' || sent === '') return null
  if (sent === long.sent) return long.kept
  if (isShort(sent)) return { text: sent, whole: true }
  long = { sent, kept: { text: copied(sent, MOST_TEXT), whole: false } }
  return long.kept
}
/** A character takes one to three bytes; most texts are far from the limit. */
const isShort = (text: string): boolean =>
  text.length * 3 <= MOST_TEXT || (text.length <= MOST_TEXT && Buffer.byteLength(text) <= MOST_TEXT)

/** The last long text: an answer that is given again and again is cut once. */
let long: { sent?: string; kept: Kept | null } = { kept: null }

/** Where texts are cut: a buffer for each would take longer than the cutting. A character takes three bytes at most. */
const board = Buffer.allocUnsafeSlow(3 * MOST_TEXT)

/**
 * The first bytes as a text of its own: a slice would hold all of the long one. A character that the cut goes through
 * is left out.
 */
function copied(text: string, bytes: number): string {
  const written = board.write(text.slice(0, bytes))
  let end = Math.min(bytes, written)
  while (end < written && (board[end]! & 0xc0) === 0x80) end--
  return board.toString('utf8', 0, end)
}

/** A call's path, as patterns name it. */
export const pathOfEntry = ({ url }: Entry): string => pathOf(url)
