import { setTimeout } from 'node:timers/promises'
import type { WorldInfo } from '../../control/worlds/world_info.ts'
import { until } from '../support/until.ts'
import { History, type Outcome } from './history.ts'
import type { Node } from './nodes.ts'

export const UNANSWERED = 'unanswered'
/** The text of a question that is not there. */
const MISSING = 'missing'
const ITEMS = Array.from({ length: 10 }, (_, n) => `MLA14000000${String(n + 1).padStart(2, '0')}`)
const CLOCK_START = Date.UTC(2026, 2, 2, 12)
export const INITIAL_CLOCK = new Date(CLOCK_START).toISOString()
const WRITERS = 4
const READERS = 4
/** Questions that readers choose from, the last ones. */
const RECENT = 20
/** Ms between two requests of a client: the machine has other things to do. */
const REST_MS = 100
/** Ms that an outage and the work after it may take. */
const MAX_PROGRESS_MS = 120_000

export interface LoadOptions {
  /** Those that clients send requests to; they may change. */
  nodes: Node[]
  info: WorldInfo
  /** Control calls need it. */
  adminToken: string
  /** The number of the world whose clock is changed. */
  clockWorld: number
  random: () => number
  timeoutMs: number
}

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any answer
  body: any
}

/** Sends a request; undefined if no answer arrives. */
export async function send(
  [method, url]: [method: string, url: string],
  token: string,
  body: object | undefined,
  timeoutMs: number,
): Promise<Answer | undefined> {
  try {
    const answer = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Clients that ask, answer, read, and move a clock, each request at a random node. */
export class Load {
  readonly history = new History()
  /** Texts of acknowledged questions. */
  readonly questions = new Map<number, string>()
  readonly answers = new Map<number, string>()
  /** Requests that had to be repeated: without an answer, or answered with an error of the server. */
  readonly failed: string[] = []
  /** Answers that no failure explains. */
  readonly unexpected: string[] = []
  clockChanges = 0
  /** The nodes that get writes; while there are none, writers wait. */
  writeAt: Node[]
  #writesInFlight = 0
  readonly #options: LoadOptions
  #clients: Promise<unknown>[] = []
  #isOver = false
  #numbers = 0

  constructor(options: LoadOptions) {
    this.#options = options
    this.writeAt = options.nodes
  }

  start(): void {
    const clients = (count: number, run: (client: string) => Promise<unknown>, kind: string) =>
      Array.from({ length: count }, async (_, n) => {
        while (!this.#isOver) {
          await run(`${kind} ${n}`)
          await setTimeout(REST_MS)
        }
      })
    this.#clients = [
      ...clients(WRITERS, (client) => this.#askAndAnswer(client), 'writer'),
      ...clients(READERS, (client) => this.#read(client), 'reader'),
      ...clients(2, (client) => this.#moveClock(client), 'clock'),
      ...clients(2, (client) => this.readClock(client), 'clock reader'),
    ]
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#clients)
  }

  async stopWrites(): Promise<void> {
    this.writeAt = []
    await until('the answers to all writes', () => this.#writesInFlight === 0)
  }

  /** Waits until so many more answers and clock changes are acknowledged. */
  async progress(count: number): Promise<void> {
    const [answers, changes] = [this.answers.size + count, this.clockChanges + count]
    await until('progress', () => this.answers.size >= answers && this.clockChanges >= changes, MAX_PROGRESS_MS)
  }

  async #askAndAnswer(client: string): Promise<void> {
    const { buyers, sellers } = this.#options.info
    const text = `question ${++this.#numbers}`
    const item_id = ITEMS[this.#numbers % ITEMS.length]
    const asked = await this.#send('POST', '/questions', buyers[0]!.token, { item_id, text })
    if (!asked) return
    if (asked.status !== 201) return this.#report('POST /questions', asked)
    const { id } = asked.body
    this.questions.set(id, text)
    for (let isUnknown = false; !this.#isOver; ) {
      const value = `answer ${++this.#numbers}`
      const outcome = await this.history.record(
        { register: `question ${id}`, client, kind: 'write', value },
        async () => {
          const answered = await this.#send('POST', '/answers', sellers[0]!.token, { question_id: id, text: value })
          if (!answered) return 'unknown'
          if (answered.status === 200) return { ok: value }
          // Of two answers to a question, the second is rejected.
          if (!(answered.status === 400 && isUnknown)) this.#report('POST /answers', answered)
          return 'failed'
        },
      )
      if (typeof outcome === 'object') this.answers.set(id, value)
      if (outcome !== 'unknown') return
      isUnknown = true
    }
  }

  async #read(client: string): Promise<void> {
    const recent = [...this.questions.keys()].slice(-RECENT)
    const id = recent[Math.floor(this.#options.random() * recent.length)]
    if (id !== undefined) await this.readQuestion(client, id)
  }

  /** Reads an acknowledged question, which must be as it was asked. */
  readQuestion(client: string, id: number): Promise<Outcome> {
    return this.history.record({ register: `question ${id}`, client, kind: 'read' }, async () => {
      const read = await this.#send('GET', `/questions/${id}`, this.#options.info.sellers[0]!.token)
      if (!read) return 'unknown'
      if (read.status !== 200 || read.body.text !== this.questions.get(id)) {
        this.#report(`GET /questions/${id}`, read)
        return { ok: MISSING }
      }
      return { ok: read.body.answer?.text ?? UNANSWERED }
    })
  }

  async #moveClock(client: string): Promise<void> {
    const value = new Date(CLOCK_START + 1000 * ++this.#numbers).toISOString()
    const outcome = await this.history.record({ register: 'clock', client, kind: 'write', value }, () =>
      this.#clock('PUT', { mode: 'frozen', now: value }),
    )
    if (typeof outcome === 'object') this.clockChanges++
  }

  readClock(client: string): Promise<Outcome> {
    return this.history.record({ register: 'clock', client, kind: 'read' }, () => this.#clock('GET'))
  }

  async #clock(method: string, body?: object): Promise<Outcome> {
    const { adminToken, clockWorld } = this.#options
    const answer = await this.#send(method, `/w/${clockWorld}/_sandbox/clock`, adminToken, body)
    if (!answer) return 'unknown'
    if (answer.status === 200) return { ok: answer.body.now }
    this.#report(`${method} /clock`, answer)
    return 'failed'
  }

  /** Undefined if the outcome is not known. */
  async #send(method: string, path: string, token: string, body?: object): Promise<Answer | undefined> {
    const { nodes, random, timeoutMs } = this.#options
    const isWrite = method !== 'GET'
    while (isWrite && this.writeAt.length === 0) await setTimeout(REST_MS)
    const targets = isWrite ? this.writeAt : nodes
    const node = targets[Math.floor(random() * targets.length)]!
    if (isWrite) this.#writesInFlight++
    const answer = await send([method, node.url + path], token, body, timeoutMs)
    if (isWrite) this.#writesInFlight--
    if (answer && answer.status !== 502 && answer.status !== 503) return answer
    this.failed.push(`${method} ${path}: ${answer ? JSON.stringify(answer) : 'no answer'}`)
    await setTimeout(REST_MS)
    return undefined
  }

  #report(call: string, { status, body }: Answer): void {
    this.unexpected.push(`${call} answers ${status} ${JSON.stringify(body)}`)
  }
}
