import { mkdtempSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { CallLine, StateLine } from '../control/recording/format.ts'
import { printable } from '../domains/shared/commands.ts'
import { CliError, EXIT, usageError } from '../lib/cli/errors.ts'
import { temporaryRoot } from '../lib/temporary_root.ts'
import { Aliases } from './aliases.ts'
import { checkRecording, type Overview } from './check.ts'
import { compareAnswers, type Difference } from './compare.ts'
import { type Bounds, inOrder, readLines } from './read.ts'
import { type RawCall, toSendable } from './send.ts'
import type { Target } from './target.ts'

/** A call whose answer differs. */
export interface DifferentCall {
  n: number
  world: number | null
  at: string
  method: string
  target: string
  /** Other calls were in flight: the order in which they took effect may have been another. */
  overlaps: boolean
  differences: Difference[]
}

export interface Report {
  /** Version that recorded. */
  recorded_by: string
  calls: number
  /** Answers that were compared as a whole, by their beginning, and by their status. */
  compared: { whole: number; prefix: number; status: number }
  /** Calls that were sent, but not compared. */
  not_compared: number
  /** Calls that cannot be sent again. */
  not_sent: number
  different: number
  /** The first of them. */
  differences: DifferentCall[]
  /** Why the recording ended before the server; null: it did not. */
  ended_because: string | null
}

const MAX_SHOWN = 100

export type OpenTarget = (overview: Overview) => Target | Promise<Target>
interface ReplayOptions extends Bounds {
  onProgress?: (calls: number) => void
}

/** Replays a recording. Throws a CliError if it is not valid, before anything is made. */
export async function replay(file: string, openTarget: OpenTarget, options: ReplayOptions = {}): Promise<Report> {
  const overview = await checkRecording(file, options)
  const { source, upstream } = overview.header
  if (source === 'upstream')
    throw usageError(
      `${printable(file)}: has calls of another server, ${printable(upstream)}, without states: compare them with \`mercadito compare\``,
    )
  const target = await openTarget(overview)
  const folder = mkdtempSync(join(temporaryRoot(), 'mercadito-replay-'))
  try {
    const player = new Player(target, overview, join(folder, 'world.json'), options)
    for await (const line of inOrder(readLines(file, options))) {
      if (line.kind === 'state') await player.beginState(line)
      else if (line.kind === 'part') await player.addPart(line.text)
      else if (line.kind === 'state end') await player.endState().catch((error) => rejectState(file, error))
      else if (line.kind === 'call' || line.kind === 'control') await player.play(line)
    }
    return player.report
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await target.close()
  }
}

/** The text of a state is checked only when a world is made of it: its errors are errors of the file. */
function rejectState(file: string, error: Error & { statusCode?: number; code?: unknown }): never {
  const isInvalid = error.statusCode === 400 || (error instanceof CliError && error.code === EXIT.usage)
  throw isInvalid ? usageError(`${printable(file)}: the state of a world is damaged: ${error.message}`) : error
}

/** The answer shows what receivers answered. */
const MISSED_FEEDS = /^\/(?:missed_|my)feeds\/?(?:\?|$)/

/** Nothing is sent to the receivers of a recording. */
const withoutReceivers = (text: string): string =>
  text.replace(/("callback_url"\s*:\s*)"(?:[^"\\]|\\.)*"/g, '$1"inbox:"')

class Player {
  readonly report: Report
  readonly #target: Target
  readonly #aliases: Aliases
  readonly #file: string
  readonly #hasDeliveries: boolean
  readonly #onProgress: NonNullable<ReplayOptions['onProgress']>
  #played = 0
  /** The instants at which the clocks are frozen; absent: not known. */
  readonly #clocks = new Map<number, string>()
  #state: { line: StateLine; handle: FileHandle; rest: string } | undefined

  constructor(
    target: Target,
    { header, calls, deliveries, endedBecause }: Overview,
    file: string,
    options: ReplayOptions,
  ) {
    this.#target = target
    this.#aliases = new Aliases(target.hasOtherIds)
    this.#file = file
    this.#hasDeliveries = deliveries.length > 0
    this.#onProgress = options.onProgress ?? (() => {})
    this.report = {
      ...{ recorded_by: header.mercadito, calls, compared: { whole: 0, prefix: 0, status: 0 }, not_compared: 0 },
      ...{ not_sent: 0, different: 0, differences: [], ended_because: endedBecause ?? null },
    }
  }

  async beginState(line: StateLine): Promise<void> {
    this.#state = { line, handle: await open(this.#file, 'w', 0o600), rest: '' }
  }

  async addPart(text: string): Promise<void> {
    const state = this.#state!
    // Parts end anywhere: whole lines are changed and written.
    const lines = state.rest + text
    const end = lines.lastIndexOf('\n') + 1
    state.rest = lines.slice(end)
    await state.handle.write(this.#local(lines.slice(0, end)))
  }

  async endState(): Promise<void> {
    const { line, handle, rest } = this.#state!
    await handle.write(this.#local(rest))
    await handle.close()
    this.#state = undefined
    await this.#target.load(line, this.#file)
    this.#clocks.delete(line.world)
  }

  async play(call: CallLine): Promise<void> {
    const { report } = this
    this.#onProgress(++this.#played)
    const { target } = toSendable(call)
    if (target === undefined || call.incomplete) return void report.not_sent++
    if (call.world !== null) await this.#setClock(call.world, call.at)
    const answer = await this.#send(call, target)
    if (this.#hasDeliveries && call.world !== null && call.method !== 'GET')
      await this.#target.control(call.world, 'POST /settle')
    const compare = MISSED_FEEDS.test(target) && !this.#target.hasReceivers ? 'not' : (call.compare ?? 'whole')
    if (compare === 'not') return void report.not_compared++
    report.compared[compare]++
    const differences = compareAnswers(call, answer, this.#aliases)
    if (differences.length === 0) return
    report.different++
    const { n, world, at, method, overlaps = false } = call
    if (report.differences.length < MAX_SHOWN)
      report.differences.push({ n, world, at, method, target: call.target, overlaps, differences })
  }

  #local = (text: string): string => (this.#target.hasReceivers ? text : withoutReceivers(text))

  /** Everything that a call reads has one time. What is due before happens first. */
  async #setClock(world: number, at: string): Promise<void> {
    if (this.#clocks.get(world) === at) return
    await this.#target.control(world, 'PUT /clock', { mode: 'frozen', now: at })
    this.#clocks.set(world, at)
  }

  #send(call: CallLine, target: string) {
    const toActual = (text: string) => this.#aliases.toActual(text)
    const { kind, world, method, headers, body, body_base64 } = call
    const raw: RawCall = {
      method,
      target: toActual(target),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, toActual(value)])),
      body: body_base64 === undefined ? toBytes(body, toActual) : Buffer.from(body_base64, 'base64'),
    }
    if (kind === 'call') return this.#target.send(world, raw)
    // It may move the clock: a reset, or a snapshot that is restored.
    this.#clocks.delete(world!)
    return this.#target.sendControl(world!, {
      ...raw,
      body: raw.body && Buffer.from(this.#local(String(raw.body))),
    })
  }
}

const toBytes = (text: string | undefined, toActual: (text: string) => string): Buffer | undefined =>
  text === undefined ? undefined : Buffer.from(toActual(text))
