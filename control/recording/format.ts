import { realNow } from '../../db/clock.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import about from '../../package.json' with { type: 'json' }

// A recording is JSON lines: a header, then states, calls and deliveries in the order in which they took effect. A
// saved recording may be compressed with gzip.

export const FORMAT = 'mercadito recording'
export const FORMAT_VERSION = 1

export interface HeaderLine {
  kind: 'header'
  format: typeof FORMAT
  version: number
  /** Version of the program. */
  mercadito: string
  /** Real time, ISO 8601. */
  created_at: string
  /**
   * `recording`: whole calls. `journal`: what the server still had of them in memory. `upstream`: calls of another server,
   * without states.
   */
  source: 'recording' | 'journal' | 'upstream'
  /** The host of that other server. */
  upstream?: string
}

/** From here on a world has this state. Lines with the text of its world file follow, then a `state end`. */
export interface StateLine {
  kind: 'state'
  world: number
  /** World time, ISO 8601. */
  at: string
  clock: string
  scenario: string
  seed: number
  assumptions: Record<string, string>
  /** Whether ids and tokens follow from scenario, seed and number of the world; else its key is random. */
  deterministic: boolean
}
/** A part of the text of a world file. */
interface PartLine {
  kind: 'part'
  text: string
}
interface StateEndLine {
  kind: 'state end'
}

/** What of an answer can be compared. `prefix`: status and the beginning of the body. */
export type Comparison = 'whole' | 'prefix' | 'status' | 'not'

export interface CallLine {
  /** `control`: a control call; only the status of its answer is compared. */
  kind: 'call' | 'control'
  /** Counts from 1, in the order in which the handlers started. */
  n: number
  /** Number of the world; null: the call has none. */
  world: number | null
  /** World time at the start, ISO 8601. */
  at: string
  /** Duration in real time. */
  ms: number
  method: string
  target: string
  headers: Record<string, string>
  /** Absent without a body; `body_base64` if it is not UTF-8. */
  body?: string
  body_base64?: string
  /** Null: the connection ended before the answer. */
  status: number | null
  /** Those that count; null: not known. */
  answer_headers: Record<string, string> | null
  answer?: string
  answer_base64?: string
  /** Only of calls of an upstream: the user of the token, if it is known. */
  caller?: number
  /** Present if other calls were in flight meanwhile: what they changed may be in its answer or not. */
  overlaps?: true
  /** Absent: `whole`. */
  compare?: Comparison
  /** Present if the request is not whole: it cannot be sent again. */
  incomplete?: true
  /** Why it cannot be compared as a whole, or cannot be sent again. */
  why?: string
}

/** An attempt to deliver a notification, with its result. */
export interface DeliveryLine {
  kind: 'delivery'
  world: number
  /** World time at the end of the attempt, ISO 8601. */
  at: string
  id: number
  attempt: number
  topic: string
  resource: string
  ms: number
  http_code: number | null
  /** Of the receiver's answer. */
  headers: Record<string, string>
  body: string
  error: string | null
}

/** The recording ends here, and does not have what follows. */
interface EndLine {
  kind: 'end'
  why: string
}

export type Line = HeaderLine | StateLine | PartLine | StateEndLine | CallLine | DeliveryLine | EndLine

/** Characters of a world file in one line. */
export const PART_CHARACTERS = 64 * 1024

/**
 * Control calls that a replay does not send. `state`: their effect is recorded as the state of the world after them.
 * `skip`: they change nothing that answers show, or nothing of the world; time is recorded with each call.
 */
export const CONTROL_CALLS: ReadonlyMap<string, 'state' | 'skip'> = new Map([
  ['PUT /world', 'state'],
  ['POST /undo', 'state'],
  ['POST /worlds', 'skip'],
  ['PATCH /worlds/:id', 'skip'],
  ['DELETE /worlds/:id', 'skip'],
  ['POST /backup', 'skip'],
  ['PUT /clock', 'skip'],
  ['POST /clock/advance', 'skip'],
  ['POST /settle', 'skip'],
  ['POST /verify', 'skip'],
  ['DELETE /requests', 'skip'],
  // The call that it sends is recorded.
  ['POST /requests/:id/resend', 'skip'],
  ['PUT /inbox', 'skip'],
  ['DELETE /inbox', 'skip'],
])
const SKIPPED_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY'])

/** What a replay does for a control call. The path is that of the route, or of a call, without the prefix. */
export function replayOf(method: string, path: string): 'send' | 'state' | 'skip' {
  if (SKIPPED_METHODS.has(method)) return 'skip'
  const pattern = path.replace(/^(\/worlds|\/requests)\/[^/]+/, '$1/:id')
  return CONTROL_CALLS.get(`${method} ${pattern}`) ?? 'send'
}

/** The first line. */
export const createHeader = (source: HeaderLine['source'], upstream?: string): HeaderLine => ({
  ...{ kind: 'header', format: FORMAT, version: FORMAT_VERSION, mercadito: about.version },
  ...{ created_at: utcMillis(realNow()), source },
  ...(upstream !== undefined && { upstream }),
})
