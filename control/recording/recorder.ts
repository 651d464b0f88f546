import type { FastifyReply, FastifyRequest } from 'fastify'
import { createHeldTime, type ReadTime, realNow } from '../../db/clock.ts'
import { DEFAULT_WORLD, type Worlds } from '../../db/worlds.ts'
import type { InterceptAttempt } from '../../domains/notifications/delivery/deliver.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import { stateOf } from '../../http/request_state.ts'
import { CONTROL_PREFIX } from '../../http/rewrite_url.ts'
import { openCopy } from '../world_file/temp_files.ts'
import { describeCall } from './calls.ts'
import { RecordingFile } from './file.ts'
import { createHeader, replayOf } from './format.ts'
import { SecretNames } from './secrets.ts'
import { stateLines } from './states.ts'
import { type Tap, tapRequest, tapResponse } from './tap.ts'

/** A call that has begun. */
interface CallInFlight {
  n: number | undefined
  /** World time, ms. */
  at: number | undefined
  startedAt: number
  overlaps: boolean
  /** Time stands still for it. */
  holdsTime: boolean
}

/** Writes states, calls and deliveries to a file. */
export class Recorder {
  readonly #file: RecordingFile
  readonly #names = new SecretNames()
  readonly #time = createHeldTime()
  readonly #calls = new Map<FastifyRequest, CallInFlight>()
  /** The worlds whose state is in the recording. */
  readonly #recorded = new Map<number, RecordedWorld>()
  #worlds!: Worlds
  /** Resolves when no state is being written: calls wait for it. */
  #writing: Promise<void> | undefined
  #lastCall = 0

  /** Throws a RecordingError. */
  constructor(path: string, onNotice: (text: string) => void) {
    this.#file = new RecordingFile(path, onNotice)
    this.#file.write(createHeader('recording'))
  }

  /** The clocks of recorded worlds. */
  readonly readTime: ReadTime = (setting) => this.#time.read(setting)

  connect(worlds: Worlds): void {
    this.#worlds = worlds
  }

  /** Records a call of a world from now on. The call must wait for the promise, if there is one. */
  begin(request: FastifyRequest, reply: FastifyReply, worldNumber: number): Promise<void> | undefined {
    if (!this.#file.isOpen || !isRecorded(request)) return undefined
    const overlaps = this.#calls.size > 0
    for (const other of this.#calls.values()) other.overlaps = true
    const startedAt = performance.now()
    const call: CallInFlight = { n: undefined, at: undefined, startedAt, overlaps, holdsTime: false }
    this.#calls.set(request, call)
    const body = tapRequest(request.raw)
    const answer = tapResponse(reply.raw, (isComplete) => this.#end(request, reply, { body, answer, isComplete }))
    const id = this.#worlds.has(worldNumber) ? worldNumber : DEFAULT_WORLD
    const hold = () => {
      // Its connection may have ended while it waited.
      if (!this.#calls.has(request)) return
      call.holdsTime = true
      this.#time.begin()
    }
    const wait = this.#recorded.has(id) ? this.#writing : this.#afterwards(() => this.#ensureState(id))
    if (wait) return wait.then(hold)
    hold()
    return undefined
  }

  /** The handler of a call starts, or the call is answered before. */
  start(request: FastifyRequest): void {
    const call = this.#calls.get(request)
    if (!call || call.n !== undefined) return
    call.n = ++this.#lastCall
    call.at = request.world?.clock.now()
  }

  /** Records each attempt to deliver a notification. */
  readonly interceptAttempt: InterceptAttempt = async ({ id: world, clock }, notification, send) => {
    const result = await send()
    const { id, attempts: attempt, topic, resource } = notification
    const { ms, http_code, headers, error } = result
    if (this.#recorded.has(world))
      this.#file.write({
        ...{ kind: 'delivery', world, at: utcMillis(clock.now()) },
        ...{ id, attempt, topic, resource, ms, http_code, headers, body: this.#names.inAnswer(result.body), error },
      })
    return result
  }

  /** Removes the file: the server has not started. */
  discard(): void {
    this.#file.discard()
  }

  /** Writes the states that are not complete, and closes the file. */
  async close(): Promise<void> {
    await this.#writing
    this.#file.close()
  }

  #end(request: FastifyRequest, reply: FastifyReply, sent: { body: Tap; answer: Tap; isComplete: boolean }): void {
    this.start(request)
    const { n, at, startedAt, overlaps, holdsTime } = this.#calls.get(request)!
    this.#calls.delete(request)
    if (holdsTime) this.#time.end()
    const { isControl, bodySummary } = stateOf(request.raw)
    if (bodySummary !== undefined) sent.body.leaveOut()
    // A rejected control call has changed nothing.
    if (isControl && (!sent.isComplete || reply.statusCode >= 400)) return
    const world = request.world as FastifyRequest['world'] | null
    const recorded = world === null ? undefined : this.#recorded.get(world.id)
    const action = isControl && recorded ? recorded.actionOf(controlPath(request), request, sent.body) : 'send'
    if (action === 'skip') return
    if (action === 'state') return void this.#afterwards(() => this.#writeState(world!.id))
    // The body of an OAuth call may choose a world that no call has used before.
    const isLate = world !== null && !recorded
    const isEarly = world === null && reply.statusCode !== 404
    this.#file.write({
      ...{ kind: isControl ? 'control' : 'call', n: n!, world: world?.id ?? null, at: utcMillis(at ?? realNow()) },
      ms: Math.round(performance.now() - startedAt),
      ...describeCall(request, reply, { ...sent, names: this.#names }),
      // Answers of control calls have real times, sizes and addresses.
      ...(isControl && { compare: 'status' as const }),
      ...(overlaps && { overlaps }),
      ...(isLate && { compare: 'not' as const, why: 'the state of its world before it is not recorded' }),
      ...(isEarly && { compare: 'not' as const, why: 'it was rejected before its world was known' }),
    })
    if (isLate) void this.#afterwards(() => this.#ensureState(world.id))
  }

  /** Runs `work` after the writing of other states. Calls wait for it. */
  #afterwards(work: () => Promise<void>): Promise<void> {
    const writing = (this.#writing ?? Promise.resolve())
      .then(work)
      .catch((error: Error) => this.#file.end(`the state of a world cannot be recorded (${error.message})`))
      .finally(() => {
        if (this.#writing === writing) this.#writing = undefined
      })
    this.#writing = writing
    return writing
  }

  async #ensureState(id: number): Promise<void> {
    if (!this.#recorded.has(id)) await this.#writeState(id)
  }

  async #writeState(id: number): Promise<void> {
    const world = await this.#worlds.acquire(id)
    if (!world) return
    try {
      const isNew = this.#worlds.mode === 'temporary' && world.version() === 0
      const copy = await openCopy(world, this.#worlds.tempFilePath())
      try {
        for await (const line of stateLines(copy.q, this.#names)) this.#file.write(line)
      } finally {
        copy.discard()
      }
      if (!this.#recorded.has(id)) this.#recorded.set(id, new RecordedWorld(isNew))
    } finally {
      this.#worlds.release(world)
    }
  }
}

/** Creates the file of a recording, if there is one, and opens the worlds. Throws a RecordingError. */
export async function openRecorded(
  { record, onNotice = () => {} }: { record?: string | undefined; onNotice?: (text: string) => void },
  open: (readTime: ReadTime | undefined) => Promise<Worlds>,
): Promise<{ recorder: Recorder | undefined; worlds: Worlds }> {
  const recorder = record === undefined ? undefined : new Recorder(record, onNotice)
  try {
    return { recorder, worlds: await open(recorder?.readTime) }
  } catch (error) {
    recorder?.discard()
    throw error
  }
}

/** Whether a call belongs to the emulated API, or is a control call that may change a world. */
function isRecorded(request: FastifyRequest): boolean {
  const { config, url } = request.routeOptions
  if (stateOf(request.raw).isInternal) return false
  if (url === undefined) return !stateOf(request.raw).isControl
  if (!stateOf(request.raw).isControl) return !config.internal && !config.health && config.access !== 'control'
  return !config.internal && replayOf(request.method, controlPath(request)) !== 'skip'
}

/** The path of a control call's route, without the prefix. */
const controlPath = ({ routeOptions: { url = '' } }: FastifyRequest): string => url.slice(CONTROL_PREFIX.length)

/** What a replay of the recording can restore of a world, besides its present state. */
class RecordedWorld {
  /** The start of the world is a state of the recording. */
  #hasStart: boolean
  readonly #snapshots = new Set<string>()

  constructor(hasStart: boolean) {
    this.#hasStart = hasStart
  }

  /** What the recording needs of a control call that has succeeded: the call, the state after it, or nothing. */
  actionOf(path: string, { method, params, body }: FastifyRequest, sent: Tap): 'send' | 'state' | 'skip' {
    const { name = '' } = { ...(params as object), ...(body as object) } as { name?: string }
    switch (`${method} ${path}`) {
      case 'POST /snapshots':
        this.#snapshots.add(name)
        return 'send'
      case 'DELETE /snapshots/:name':
        return this.#snapshots.delete(name) ? 'send' : 'skip'
      case 'POST /snapshots/:name/restore':
        return this.#snapshots.has(name) ? 'send' : this.#restart(false)
      case 'POST /reset':
        return this.#hasStart ? 'send' : this.#restart(true)
    }
    const action = replayOf(method, path)
    if (action === 'state') return this.#restart(path === '/world')
    return action === 'send' && sent.isTooLong ? this.#restart(false) : action
  }

  /** A replay loads the state, and later resets to it: right only if that is what the call has made the start. */
  #restart(hasStart: boolean): 'state' {
    this.#hasStart = hasStart
    return 'state'
  }
}
