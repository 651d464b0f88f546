import type { InjectOptions } from 'fastify'
import type { Person } from '../app.ts'

/** A valid call of a route, and how each of its checks can be made to fail. */
export interface WrongCalls {
  /** `POST /answers` */
  route: string
  /** Who calls; null: no token is needed. */
  caller: Person | null
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: Record<string, unknown>
  /** In place of a JSON body. */
  text?: string | Buffer
  headers?: Record<string, string>
  /** By the id of the check: changes a call so that this check fails. */
  breaks: Record<string, (call: Draft) => void>
  /** Sets what depends on the changes of `state`, such as the id of a new question. */
  prepare?: (call: Draft) => Promise<void>
  /** Checks that no call can fail. */
  unreachable?: readonly string[]
  /** The check that refuses every call, after the others. */
  alwaysRefused?: string
  /** Why two checks cannot both fail, by the part of the call that both need. */
  exclusive?: Record<string, string>
}

/** Two changes of a call need the same part of it, which is the message. */
export class Conflict extends Error {}

/** A call whose parts can be replaced, each once. */
export class Draft {
  caller: Person | null
  readonly params: Record<string, unknown>
  readonly query: Record<string, unknown>
  readonly headers: Record<string, string>
  /** What the world should contain. */
  readonly state: Record<string, unknown> = {}
  #body: Record<string, unknown> | undefined
  #text: string | Buffer | undefined
  #isLarge = false
  readonly #route: string
  readonly #changed = new Set<string>()
  readonly #used = new Set<string>()

  constructor({ route, caller, params = {}, query = {}, body, text, headers = {} }: WrongCalls) {
    this.#route = route
    this.caller = caller
    this.params = { ...params }
    this.query = { ...query }
    this.#body = body && { ...body }
    this.#text = text
    this.headers = { ...headers }
  }

  #claim(part: string): void {
    if (this.#changed.has(part) || this.#used.has(part)) throw new Conflict(part)
    this.#changed.add(part)
  }

  /** A change needs parts to stay as they are; several changes may need the same. */
  uses(...parts: string[]): void {
    for (const part of parts) {
      if (this.#changed.has(part)) throw new Conflict(part)
      this.#used.add(part)
    }
  }

  setToken(authorization: string | undefined): void {
    this.#claim('token')
    this.caller = null
    if (authorization !== undefined) this.headers.authorization = authorization
  }
  setCaller(caller: Person): void {
    this.#claim('token')
    this.caller = caller
  }
  setParam(name: string, value: unknown): void {
    this.#claim(`param ${name}`)
    this.params[name] = value
  }
  /** undefined: without it; a list: several times. */
  setQuery(name: string, value: unknown): void {
    this.#claim(`query ${name}`)
    this.query[name] = value
  }
  setHeader(name: string, value: string): void {
    this.#claim(`header ${name}`)
    this.headers[name] = value
  }
  setMember(name: string, value: unknown): void {
    this.uses('text')
    this.#claim(`member ${name}`)
    this.#body = { ...this.#body, [name]: value }
  }
  /** A text in place of the JSON body. */
  setText(text: string | Buffer): void {
    this.#claim('text')
    this.#text = text
  }
  setLarge(): void {
    this.#claim('large')
    this.#isLarge = true
  }
  setState(name: string, value: unknown): void {
    this.#claim(`state ${name}`)
    this.state[name] = value
  }
  /** For `prepare`: a value that follows from the state, unless it was replaced. */
  fill(part: 'param' | 'query' | 'member', name: string, value: unknown): void {
    if (this.#changed.has(`${part} ${name}`)) return
    if (part === 'param') this.params[name] = value
    else if (part === 'query') this.query[name] = value
    else this.#body = { ...this.#body, [name]: value }
  }

  toRequest(): InjectOptions {
    const [method, path] = this.#route.split(' ') as ['POST', string]
    const url = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(this.params[name])))
    const query = Object.entries(this.query)
      .filter(([, value]) => value !== undefined)
      .flatMap(([name, value]) => [value].flat().map((one) => `${name}=${encodeURIComponent(String(one))}`))
    const payload = this.#text ?? (this.#body && JSON.stringify(this.#body)) ?? (this.#isLarge ? ' ' : undefined)
    return {
      method,
      url: query.length > 0 ? `${url}?${query.join('&')}` : url,
      headers: {
        ...(this.caller && { authorization: `Bearer ${this.caller.token}` }),
        // Says so, because to send as much takes longer.
        ...(this.#isLarge && { 'content-length': String(1024 * 1024 + 1) }),
        ...this.headers,
      },
      ...(payload !== undefined && { payload }),
    }
  }
}

/** Of a search. */
export function scanWithOffset(call: Draft): void {
  call.setQuery('scroll_id', 'x')
  call.setQuery('offset', 0)
}
