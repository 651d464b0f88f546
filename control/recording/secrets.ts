import { LRUCache } from 'lru-cache'
import { replaceParts } from '../../http/journal/multipart.ts'
import { SECRETS } from '../../http/journal/redaction.ts'
import { decoded } from '../../http/paths.ts'

/** Secrets that have a name at the same time; the one that was not used for longest loses it. */
const MAX_SECRETS = 100_000
/** Of generated tokens and codes. */
const TOKEN = /APP_USR-\d+-\d{6}-[0-9a-f]+-\d+|TG-[0-9a-f]{8,}-\d+/g
/** The name of a secret: the same characters in JSON, in forms and in URLs. */
export const SECRET_NAME = /\*\*\*(?:token|secret|password)-\d{1,9}\*\*\*/g
const IS_NAME = new RegExp(`^${SECRET_NAME.source}$`)

/** Tokens and secrets have no blanks; descriptions of members of the same name do. */
const jsonMembers = (names: string) => new RegExp(`("(${names})"\\s*:\\s*")((?:[^"\\\\\\s]|\\\\.)+)(?=")`, 'g')
const PASSWORDS = /("(password)"\s*:\s*")((?:[^"\\]|\\.)+)(?=")/g
/** The query of a receiver's address may have a secret. */
const CALLBACKS = /("callback_url"\s*:\s*")((?:[^"\\]|\\.)*)(?=")/g
const URLS = /("url"\s*:\s*")((?:[^"\\]|\\.)*)(?=")/g

type Kind = 'token' | 'secret' | 'password'
/** Names of members; PKCE verifiers prove nothing without their code, and a replay needs them. */
const MEMBER_NAMES = new Set([...SECRETS.request].filter((name) => !name.startsWith('code_')))
const MEMBERS = [...MEMBER_NAMES].join('|')
const ANSWER_MEMBERS = [...SECRETS.response, 'token'].join('|')
const kindOf = (member: string): Kind =>
  member === 'password' ? 'password' : member.endsWith('secret') ? 'secret' : 'token'

const IN_REQUEST = jsonMembers(MEMBERS)
const IN_ANSWER = jsonMembers(ANSWER_MEMBERS)
const IN_FORM = new RegExp(`((?:^|[?&])(${MEMBERS})=)([^&#]+)`, 'g')

/** Replaces tokens, secrets and passwords by names: the same secret always has the same one. */
export class SecretNames {
  readonly #names = new LRUCache<string, string>({ max: MAX_SECRETS })
  /** Addresses of receivers, by what they were. */
  readonly #callbacks = new LRUCache<string, string>({ max: 1000 })
  readonly #counts: Record<Kind, number> = { token: 0, secret: 0, password: 0 }

  nameOf = (kind: Kind, secret: string): string => {
    if (IS_NAME.test(secret)) return secret
    const known = this.#names.get(secret)
    if (known !== undefined) return known
    const name = `***${kind}-${++this.#counts[kind]}***`
    this.#names.set(secret, name)
    return name
  }

  /** A target: the query, and the token of `/tokens/{token}`. */
  inTarget(target: string): string {
    const path = target.replace(
      /^((?:\/w\/\d+)?\/_sandbox\/tokens\/)([^/?]+)/,
      (_, before: string, token: string) => before + this.nameOf('token', decoded(token)),
    )
    const query = this.#inForm(path)
    return this.#tokens(
      query.replace(/([?&]_body=)([^&#]+)/g, (whole, before: string, body: string) => {
        const text = decoded(body)
        const named = this.inRequest(text)
        return named === text ? whole : before + encodeURIComponent(named)
      }),
    )
  }

  /** A body: JSON, a form or multipart. */
  inRequest(text: string): string {
    const isJson = /^\s*[[{]/.test(text)
    if (!isJson) return this.#tokens(replaceParts(this.#inForm(text), MEMBER_NAMES, this.#inPart))
    return this.#tokens(this.#inCallbacks(this.#members(text, IN_REQUEST)))
  }

  inAnswer(text: string): string {
    const named = this.#inCallbacks(this.#members(text, IN_ANSWER))
    const urls = this.#callbacks.size === 0 ? named : named.replace(URLS, this.#inUrl)
    return this.#tokens(urls)
  }

  /** Elements of a world file, which has names of tokens already. */
  inState(text: string): string {
    return this.#inCallbacks(this.#members(text, PASSWORDS))
  }

  /** All but `authorization`. */
  inHeaders(headers: Record<string, string>): Record<string, string> {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, this.#tokens(value)]))
  }

  inAuthorization(text: string): string {
    const [, scheme, token] = /^(bearer\s+)(.*)$/is.exec(text) ?? []
    if (scheme === undefined) return text.replace(/^(\S+)\s.+$/s, '$1 ***')
    return token === '' ? text : scheme + this.nameOf('token', token!.trim())
  }

  #tokens = (text: string): string => text.replace(TOKEN, (token) => this.nameOf('token', token))

  #members = (text: string, pattern: RegExp): string =>
    text.replace(pattern, (_, before: string, name: string, value: string) => before + this.nameOf(kindOf(name), value))

  #inPart = (value: string, name: string): string => (value === '' ? '' : this.nameOf(kindOf(name), value))

  #inCallbacks = (text: string): string =>
    text.replace(CALLBACKS, (_, before: string, url: string) => {
      const named = url.replace(/\?(.+)$/s, (_, query: string) => `?${this.nameOf('secret', query)}`)
      if (named !== url) this.#callbacks.set(url, named)
      return before + named
    })

  /** Answers show where a notification was sent. */
  #inUrl = (_: string, before: string, url: string): string => before + (this.#callbacks.get(url) ?? url)

  #inForm = (text: string): string =>
    text.replace(
      IN_FORM,
      (_, before: string, name: string, value: string) =>
        before + this.nameOf(kindOf(name), decoded(value.replaceAll('+', ' '))),
    )
}
