import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Switches } from '../db/world.ts'
import { SWITCHES } from '../domains/assumptions.ts'
import { failedAttempt } from '../domains/notifications/outbound/attempt.ts'
import { stateOf } from '../http/request_state.ts'
import type { RuleId } from '../http/rules.ts'
import { type OwnServer, openOwnServer } from '../replay/own_server.ts'
import { type BuiltWorld, buildWorld } from './build_world.ts'
import { type Answer, membersOf, type RecordedCall, readAnswer } from './calls.ts'
import { compareAnswers } from './compare_answers.ts'
import type { Difference } from './compare_values.ts'
import type { Learned } from './learn.ts'

export interface PlayedCall {
  call: RecordedCall
  differences: Difference[]
  /** The rule because of which this server has rejected the call. */
  violated?: RuleId | undefined
  /** Why the answers cannot be compared. */
  reason?: string
}

const MAX_WORLDS = 20
const SCROLL_ID = /^\*{3}token-\d+\*{3}$/
const MAY_BE_UNKNOWN = 'what the call changes is not known as it was before'

/** A world of the server, as the recording shows it at some call. */
interface State {
  world: number
  built: BuiltWorld
  switches: Switches
}

interface ComparedServer extends OwnServer {
  /** The rule because of which it has rejected the last call. */
  violated(): RuleId | undefined
}

export async function openServer(): Promise<ComparedServer> {
  let violated: RuleId | undefined
  const server = await openOwnServer({
    interceptAttempt: async () => failedAttempt('nothing is sent'),
    beforePlugins: (app) =>
      app.addHook('onSend', (request, _reply, _payload, done) => {
        violated = stateOf(request.raw).violation?.rule
        done()
      }),
  })
  return { ...server, violated: () => violated }
}

/** Sends calls to the worlds that a recording shows, each at its time, and compares the answers. */
export class Player {
  readonly #server: ComparedServer
  readonly #learned: Learned
  /** By the number of the call from which on they are so; the oldest first. */
  readonly #states = new Map<number, State>()
  /** Worlds whose state is not needed any more. */
  readonly #free: number[] = []
  /** With the values of the switches that each answer depends on. */
  readonly #answered = new Map<RecordedCall, { played: PlayedCall; read: [name: string, value: string][] }[]>()
  /** The scroll ids of this server by the names of the recorded ones. */
  readonly #scrollIds = new Map<string, string>()

  constructor(server: ComparedServer, learned: Learned) {
    this.#server = server
    this.#learned = learned
  }

  /** What has been answered is not asked again with other values of switches that were not read. */
  async play(call: RecordedCall, switches: Switches): Promise<PlayedCall> {
    const known = this.#answered.get(call) ?? []
    const found = known.find(({ read }) => read.every(([name, value]) => settingOf(switches, name) === value))
    if (found) return found.played
    const { played, read } = await this.#play(call, switches)
    // What a write causes reads the switches from the data of the world.
    if (read && !call.isWrite)
      this.#answered.set(call, [...known, { played, read: read.map((name) => [name, settingOf(switches, name)]) }])
    return played
  }

  async #play(call: RecordedCall, switches: Switches): Promise<{ played: PlayedCall; read?: string[] }> {
    const { line, answer: recorded, isWrite } = call
    const scrollId = call.query.get('scroll_id')
    if (scrollId && SCROLL_ID.test(scrollId) && !this.#scrollIds.has(scrollId))
      return { played: { call, differences: [], reason: 'the page before it is not known' } }
    const state = await this.#stateOf(call)
    await this.#prepare(state, line.at, switches)
    const trace = await this.#server.traceSwitches(state.world)
    const { status, headers, body } = await this.#send(call, state).finally(trace.end)
    const violated = this.#server.violated()
    // What it has changed is not what the recording shows.
    if (isWrite && (status ?? 0) < 400) this.#discard(this.#numberOf(call))
    if (status === null) return { played: { call, differences: [], reason: 'this server gave no answer' } }
    const answered = readAnswer(status, body.toString(), headers)
    const [one, other] = [recorded, answered].map(({ json }) => membersOf(json).scroll_id)
    if (typeof one === 'string' && typeof other === 'string') this.#scrollIds.set(one, other)
    const differences = compareAnswers(call, answered, state.built)
    const isUnsure = isWrite && outcomeOf(recorded) !== outcomeOf(answered)
    const played = { call, differences, violated, ...(isUnsure && { reason: MAY_BE_UNKNOWN }) }
    return { played, read: [...trace.read] }
  }

  /** A write finds the world as it was before. */
  #numberOf = ({ line, isWrite }: RecordedCall): number => this.#learned.facts.stateOf(isWrite ? line.n - 0.5 : line.n)

  async #stateOf(call: RecordedCall): Promise<State> {
    const n = this.#numberOf(call)
    const known = this.#states.get(n)
    if (known) return known
    if (this.#states.size >= MAX_WORLDS) this.#discard(this.#states.keys().next().value!)
    const built = buildWorld(this.#learned, n, call.at)
    const state = { world: await this.#load(built.file), built, switches: {} }
    this.#states.set(n, state)
    return state
  }

  #discard(n: number): void {
    this.#free.push(this.#states.get(n)!.world)
    this.#states.delete(n)
  }

  /** Without the elements that contradict others. */
  async #load(file: BuiltWorld['file']): Promise<number> {
    const path = join(this.#server.folder, 'seen.json')
    const world = this.#free.pop()
    for (;;)
      try {
        writeFileSync(path, JSON.stringify(file), { mode: 0o600 })
        return await this.#server.load(path, world)
      } catch (error) {
        const [, list = '', position] = /^(\w+)\[(\d+)\]/.exec((error as Error).message) ?? []
        const elements = file[list] as unknown[] | undefined
        if (!elements) throw error
        elements.splice(Number(position), 1)
      } finally {
        rmSync(path, { force: true })
      }
  }

  async #prepare(state: State, now: string, switches: Switches): Promise<void> {
    const { world } = state
    for (const name of Object.keys({ ...state.switches, ...switches })) {
      const value = settingOf(switches, name)
      if (settingOf(state.switches, name) !== value)
        await this.#server.control(world, `PATCH /assumptions/${name}`, { value })
    }
    state.switches = switches
    await this.#server.control(world, 'PUT /clock', { mode: 'frozen', now })
  }

  #send({ line: { method, target, headers, body } }: RecordedCall, { world }: State) {
    const sent = target.replace(/(?<=[?&]scroll_id=)[^&]+/, (name) => {
      const known = this.#scrollIds.get(decodeURIComponent(name))
      return known === undefined ? name : encodeURIComponent(known)
    })
    const bytes = body === undefined ? undefined : Buffer.from(body)
    return this.#server.send(world, { method, headers, body: bytes, target: sent })
  }
}

const settingOf = (switches: Switches, name: string): string => switches[name] ?? SWITCHES[name]![0]!

/** What a write has done; its state before decides. */
const outcomeOf = ({ status, json }: Answer): string => (status < 400 ? 'done' : String(membersOf(json).error))
