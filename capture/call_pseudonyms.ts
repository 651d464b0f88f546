import { readAsset } from '../db/assets.ts'
import { decoded } from '../http/paths.ts'
import { pathOf } from '../http/patterns.ts'
import { isJson, rewriteJson, type Scalar } from './json_text.ts'
import {
  BEFORE_USER,
  ERROR_TEXTS,
  type Kind,
  MEMBER_KINDS,
  PUBLIC_CALL,
  SECRET_MEMBER,
  USER_PATH,
} from './personal_members.ts'
import { Pseudonyms } from './pseudonyms.ts'

const DATE = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/
/** Values that no person has written: words of the service, ids of listings, UUIDs, dates and short numbers. */
const TECHNICAL = [
  /^[^\p{L}\p{N}]*$/u,
  /^[a-z0-9]{1,8}$/,
  /^[a-z]+$/,
  /^(?=.*[a-z])[a-z0-9]+(?:[_.:/+-][a-z0-9]+)+$/,
  /^[A-Z]{1,4}$/,
  /^[A-Z0-9]+(?:_[A-Z0-9]+)+$/,
  /^M[A-Z]{2}\d{1,20}$/,
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  /^\D?(?:\d[.,]?){1,6}$/,
  DATE,
]
/** Members with numbers that are no personal data. */
const AMOUNT =
  /(?:^|_)(?:id|ids|total|amount|price|quantity|count|completed|canceled|time|date|size|version|limit|offset|value|cents|fraction)s?$/
const JSONP = /^([\w$.]+\()(.*)(\);?)$/s

/** What a body belongs to. */
interface BodyContext {
  /** The name that takes the place of a containing member at the top. */
  root: string
  isPublic: boolean
  isError: boolean
}

/** Replaces personal data in whole calls, before anything of them is stored. */
export class CallPseudonyms {
  readonly #pseudonyms = new Pseudonyms((word) => readWords().has(word))

  /** A token, and its name from now on. */
  token(token: string): string {
    return this.#pseudonyms.secret('token', token)
  }

  /** The replaced id of the user that a token ends with; undefined if it has another form. */
  userOf(token: string): number | undefined {
    const [, id] = /-(\d{5,15})$/.exec(token) ?? []
    return id === undefined ? undefined : Number(this.#pseudonyms.replace('id', id))
  }

  authorization(header: string): string {
    const [, scheme, token] = /^(bearer\s+)(\S+)\s*$/i.exec(header) ?? []
    return scheme === undefined ? header.replace(/^(\S+).*$/s, '$1 ***') : scheme + this.token(token!)
  }

  target(target: string): string {
    const [path = '', ...rest] = target.split('?')
    const query = rest.join('?')
    const replaced = this.#path(path)
    return rest.length === 0 ? replaced : `${replaced}?${this.#form(query)}`
  }

  /** Undefined: the body is neither JSON nor a form, and cannot be stored. */
  request(text: string, contentType: string): string | undefined {
    if (isJson(text)) return this.#json(text, { root: '', isPublic: false, isError: false })
    return contentType.startsWith('application/x-www-form-urlencoded') ? this.#form(text) : undefined
  }

  /** Undefined: the body is not JSON, and cannot be stored. */
  answer(text: string, { method, target, status }: { method: string; target: string; status: number }) {
    const path = pathOf(target)
    const [, start, wrapped, end] = JSONP.exec(text) ?? []
    const json = wrapped ?? text
    if (!isJson(json)) return undefined
    const isError = wrapped === undefined ? status >= 400 : /^\s*\[\s*[45]\d\d\s*,/.test(wrapped)
    const replaced = this.#json(json, {
      root: USER_PATH.test(path) ? 'user' : '',
      isPublic: PUBLIC_CALL.test(`${method} ${path}`),
      isError,
    })
    return wrapped === undefined ? replaced : start + replaced + end
  }

  text(text: string): string {
    return this.#pseudonyms.inText(text)
  }

  #json(text: string, context: BodyContext): string {
    return rewriteJson(
      text,
      (scalar, path) => this.#scalar(scalar, path, context),
      (name) => this.#pseudonyms.inWord(name),
    )
  }

  #scalar({ type, value }: Scalar, path: readonly string[], { root, isPublic, isError }: BodyContext): string {
    const [name = '', parent = root] = path.toReversed()
    if (isPublic) return this.#pseudonyms.inText(value)
    if (type === 'number') return this.#number(value, name, parent)
    const isErrorText = isError && ERROR_TEXTS.has(name) && (path.length === 1 || path[0] === 'cause')
    return this.#member(isErrorText ? 'text' : kindOf(name, parent), value)
  }

  #number(value: string, name: string, parent: string): string {
    if (/e/i.test(value)) return value
    const known = this.#pseudonyms.inWord(value)
    if (/^\d+$/.test(value) && known !== value) return /^\d+$/.test(known) ? known : '0'
    const kind = kindOf(name, parent)
    const isUnknown = kind === undefined && /^\d{7,}$/.test(value) && !AMOUNT.test(name)
    if (!isUnknown && (kind === undefined || kind === 'keep' || kind === 'text')) return value
    if (!/^\d+$/.test(value)) return this.#pseudonyms.replace('position', value)
    return this.#pseudonyms.replace(kind === 'id' ? 'id' : 'code', value)
  }

  #member(kind: Kind | undefined, value: string): string {
    if (kind === 'keep') return /^\d{5,}$|@|^[\w-]{20,}$/.test(value) ? this.#pseudonyms.inWord(value) : value
    if (kind === 'id' && DATE.test(value)) return value
    if (kind !== undefined) return this.#pseudonyms.replace(kind, value)
    if (/^https?:\/\//.test(value)) return this.#pseudonyms.inText(value)
    if (TECHNICAL.some((form) => form.test(value)) || readWords().has(value.toLowerCase()))
      return this.#pseudonyms.inWord(value)
    return this.#pseudonyms.replace(/^[\d .+()-]+$/.test(value) ? 'code' : 'writing', value)
  }

  #path(path: string): string {
    let before = ''
    return path
      .split('/')
      .map((segment) => {
        const value = decoded(segment)
        const isUser = BEFORE_USER.has(before) && /\d/.test(value)
        before = value
        const replaced = isUser
          ? this.#pseudonyms.replace('id', value)
          : /\s/.test(value)
            ? this.#pseudonyms.inText(value)
            : this.#pseudonyms.inWord(value)
        return replaced === value ? segment : encodeURIComponent(replaced)
      })
      .join('/')
  }

  #form(text: string): string {
    return text
      .split('&')
      .map((pair) => {
        const [name = '', ...rest] = pair.split('=')
        if (rest.length === 0) return pair
        const value = decoded(rest.join('=').replaceAll('+', ' '))
        const replaced = this.#parameter(decoded(name), value)
        return replaced === value ? pair : `${name}=${encodeURIComponent(replaced)}`
      })
      .join('&')
  }

  #parameter(name: string, value: string): string {
    if (name === '_body' && isJson(value)) return this.request(value, '')!
    return this.#member(name === 'code' ? 'secret' : kindOf(name, ''), value)
  }
}

function kindOf(name: string, parent: string): Kind | undefined {
  return (
    MEMBER_KINDS.get(`${parent}.${name}`) ?? MEMBER_KINDS.get(name) ?? (SECRET_MEMBER.test(name) ? 'secret' : undefined)
  )
}

let words: Set<string> | undefined

/** Names of members and listed values of the emulated API, in lower case: they are no personal data. */
function readWords(): Set<string> {
  if (words) return words
  const found = new Set<string>()
  const add = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { enum: values, properties } = value as { enum?: unknown[]; properties?: object }
    for (const word of [...(Array.isArray(values) ? values : []), ...Object.keys(properties ?? {})])
      found.add(String(word).toLowerCase())
    for (const member of Object.values(value)) add(member)
  }
  add(JSON.parse(readAsset('openapi.json').toString()))
  words = found
  return words
}
