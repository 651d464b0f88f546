import { timeIn } from '../../db/clock.ts'
import type { Q } from '../../db/engine.ts'
import { readWorldRow, type World } from '../../db/world.ts'
import { allTokens } from '../../domains/oauth/world_file_queries.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import type { ControlCall } from '../../http/journal/control_call.ts'
import type { Entry } from '../../http/journal/journal_entry.ts'
import type { Journal } from '../../http/journal/journals.ts'
import { REDACTED } from '../../http/journal/redaction.ts'
import { CONTROL_PREFIX } from '../../http/rewrite_url.ts'
import type { BaseState } from './base_state.ts'
import { type CallLine, createHeader, type Line, replayOf } from './format.ts'
import { recordedDeliveries } from './queries.ts'
import { SecretNames } from './secrets.ts'
import { stateLines } from './states.ts'

type Recorded = { entry: Entry; control?: never } | { control: ControlCall; entry?: never }
const callOf = ({ entry, control }: Recorded): Entry | ControlCall => entry ?? control!
const endOf = (one: Recorded): number => callOf(one).at + callOf(one).ms

/** Control calls whose effect follows from their address. */
const WITHOUT_BODY = /^(?:DELETE |POST \/(?:reset|deliveries\/\d+\/\w+|snapshots\/[^/]+\/restore)$)/

/** The lines of a recording of what the journal has in memory, after a state. */
export async function* journalLines(world: World, journal: Journal, base: BaseState): AsyncGenerator<Line> {
  const names = new SecretNames()
  yield createHeader('journal')
  yield* stateLines(base.q, names)
  for await (const { ms, headers, ...one } of recordedDeliveries(world.read))
    yield {
      ...{ kind: 'delivery', world: world.id, at: utcMillis(one.sent), id: one.id, attempt: one.n },
      ...{ topic: one.topic, resource: one.resource, ms, http_code: one.http_code },
      ...{ headers: JSON.parse(headers), body: names.inAnswer(one.body), error: one.error },
    }
  const writer = new CallWriter(world, {
    ...{ base, names },
    tokens: await TokensOfUsers.read(base.q, names),
    isFrozen: await hasFrozenClock(base.q),
  })
  const calls: Recorded[] = [
    ...journal.control.values().map((control) => ({ control })),
    ...journal.requests.values().map((entry) => ({ entry })),
  ]
  for (const one of calls.sort((a, b) => endOf(a) - endOf(b))) {
    const line = endOf(one) > base.since || base.kind === 'now' ? writer.lineOf(one) : undefined
    if (line) yield line
  }
}

async function hasFrozenClock(q: Q): Promise<boolean> {
  const { clock_mode: mode, clock_ms: ms } = await readWorldRow(q)
  return mode === 'frozen' && timeIn({ mode, ms }) === ms
}

interface WriterOptions {
  base: BaseState
  names: SecretNames
  tokens: TokensOfUsers
  /** The clock of the base. */
  isFrozen: boolean
}

/** What is known of each call, and so what of its answer can be compared. */
class CallWriter {
  readonly #world: World
  readonly #base: BaseState
  readonly #names: SecretNames
  readonly #tokens: TokensOfUsers
  readonly #isFrozen: boolean
  #n = 0
  /** Why the state of a replay may be another from here on. */
  #lost: string | undefined

  constructor(world: World, { base, names, tokens, isFrozen }: WriterOptions) {
    this.#world = world
    this.#base = base
    this.#names = names
    this.#tokens = tokens
    this.#isFrozen = isFrozen && world.clock.mode === 'frozen'
    if (base.kind === 'now') this.#lost = 'no state before it is stored'
  }

  lineOf({ entry, control }: Recorded): CallLine | undefined {
    return entry ? this.#request(entry) : this.#control(control!)
  }

  #request(entry: Entry): CallLine {
    const { body, answer, status } = entry
    const isJsonp = /[?&]callback=[^&]/.test(entry.url)
    const isCut = body !== null && !body.isComplete && !isJsonp
    const names = this.#names
    const line: CallLine = {
      ...this.#head('call', entry),
      method: isJsonp ? 'GET' : entry.method,
      target: names.inTarget(entry.url),
      headers: this.#headersOf(entry),
      ...(body && !isJsonp && { body: names.inRequest(body.text) }),
      ...{ status, answer_headers: null },
      ...(answer && { answer: names.inAnswer(answer.text) }),
      ...this.#comparison(entry, isCut, isJsonp),
    }
    this.#tokens.add(entry)
    if (isCut && entry.write) this.#lost ??= `call ${line.n} cannot be sent again`
    return line
  }

  #comparison({ method, status, answer }: Entry, isCut: boolean, isJsonp: boolean): Partial<CallLine> {
    if (isCut) return { compare: 'not', incomplete: true, why: 'the journal has only the beginning of its body' }
    if (this.#lost !== undefined) return { compare: 'not', why: this.#lost }
    if (status === null) return { compare: 'not', why: 'the connection ended before the answer' }
    if (isJsonp) return { compare: 'status', why: 'the journal has the answer without its script' }
    if (answer === null && method !== 'HEAD' && status !== 204)
      return { compare: 'status', why: 'the journal does not have the answer' }
    if (!this.#isFrozen) return { compare: 'status', why: 'the clock was running' }
    if (answer && !answer.isComplete)
      return { compare: 'prefix', why: 'the journal has only the beginning of the answer' }
    return {}
  }

  #control(call: ControlCall): CallLine | undefined {
    const { method, path, status } = call
    if (status >= 400) return undefined
    const action = replayOf(method, path)
    if (action === 'skip') return undefined
    const isReset = path === '/reset'
    const canSend =
      action === 'send' &&
      WITHOUT_BODY.test(`${method} ${path}`) &&
      !path.includes(REDACTED) &&
      (!isReset || this.#base.kind === 'start')
    // The state after a reset is known again.
    if (isReset && this.#base.kind === 'start') this.#lost = undefined
    const line: CallLine = {
      ...this.#head('control', call),
      ...{ method, target: CONTROL_PREFIX + path, headers: {}, status, answer_headers: null },
      ...(canSend
        ? this.#lost === undefined
          ? { compare: 'status' }
          : { compare: 'not', why: this.#lost }
        : { compare: 'not', incomplete: true, why: 'the journal has no bodies of control calls' }),
    }
    if (!canSend) this.#lost ??= `control call ${line.n} cannot be sent again`
    return line
  }

  #head(kind: CallLine['kind'], { world_time, ms }: Entry | ControlCall) {
    return { kind, n: ++this.#n, world: this.#world.id, at: utcMillis(world_time), ms }
  }

  /** The journal knows whose token was sent, but not the token. */
  #headersOf({ headers, user_id, application_id, method }: Entry): Record<string, string> {
    const { authorization, cookie: _, ...rest } = headers
    const others = this.#names.inHeaders(rest)
    if (authorization === undefined) return others
    const token = this.#tokens.nameOf(user_id, application_id) ?? (method && '***token-0***')
    return { ...others, authorization: `Bearer ${token}` }
  }
}

/** Names of the latest token of each user and application. */
class TokensOfUsers {
  readonly #names: SecretNames
  readonly #tokens = new Map<string, string>()

  private constructor(names: SecretNames) {
    this.#names = names
  }

  static async read(q: Q, names: SecretNames): Promise<TokensOfUsers> {
    const tokens = new TokensOfUsers(names)
    // A token that does not expire stays the first choice.
    for await (const page of allTokens(q))
      for (const { token, user_id, application_id, expires_at } of page)
        if (expires_at === null || !tokens.nameOf(user_id, application_id))
          tokens.#tokens.set(`${user_id} ${application_id}`, names.nameOf('token', token))
    return tokens
  }

  nameOf(user_id: number | null, application_id: number | null): string | undefined {
    return this.#tokens.get(`${user_id} ${application_id}`)
  }

  /** The token that an OAuth call has answered. */
  add({ status, answer, body }: Entry): void {
    if (status !== 200 || !answer?.isComplete || !answer.text.startsWith('{"access_token"')) return
    const { access_token, user_id } = JSON.parse(answer.text) as { access_token: string; user_id: number }
    const [, application_id] = /client_id"?\s*[=:]\s*"?(\d+)/.exec(body?.text ?? '') ?? []
    if (application_id !== undefined && this.nameOf(user_id, Number(application_id)) === undefined)
      this.#tokens.set(`${user_id} ${application_id}`, this.#names.nameOf('token', access_token))
  }
}
