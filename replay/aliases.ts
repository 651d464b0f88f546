import { SECRET_NAME } from '../control/recording/secrets.ts'

/** Ids that a world derives from its key: UUIDs and scroll ids. */
const GENERATED_IDS =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{20,}\.[0-9a-f]{32}/
/** What may be in the place of a secret or generated id. */
const VALUE = /[A-Za-z0-9_\-.~+*]+/y
/** Tokens of the server that answers. */
const TOKEN = /APP_USR-\d+-\d{6}-[0-9a-f]+-\d+|TG-[0-9a-f]{8,}-\d+/g
const MAX_DEPTH = 100

/**
 * The secrets of a recording have names, and the server that answers again gives its own. Each name is paired with the
 * first value that is found in its place; later it must be there again.
 */
export class Aliases {
  readonly #actual = new Map<string, string>()
  readonly #recorded = new Map<string, string>()
  readonly #pattern: RegExp

  /** `hasOtherIds`: ids that follow from the key of the world may differ, too. */
  constructor(hasOtherIds: boolean) {
    this.#pattern = new RegExp(hasOtherIds ? `${SECRET_NAME.source}|${GENERATED_IDS.source}` : SECRET_NAME.source, 'g')
  }

  /** A text of the recording as the server must get it. */
  toActual(text: string): string {
    return text.replace(this.#pattern, (name) => this.#actual.get(name) ?? name)
  }

  /** A text of the server with the names of the recording; pairs new values. */
  toRecorded(expected: string, actual: string): string {
    let result = ''
    let position = 0
    let end = 0
    for (const match of expected.matchAll(this.#pattern)) {
      const literal = expected.slice(end, match.index)
      VALUE.lastIndex = position + literal.length
      const value = actual.startsWith(literal, position) ? VALUE.exec(actual)?.[0] : undefined
      if (value === undefined) {
        this.#pairMembers(expected, actual)
        break
      }
      const [name] = match
      this.#pair(name, value)
      result += literal + (this.#actual.get(name) === value ? name : value)
      position = VALUE.lastIndex
      end = match.index + name.length
    }
    return result + actual.slice(position).replace(TOKEN, (token) => this.#recorded.get(token) ?? token)
  }

  #pair(name: string, value: string): void {
    if (this.#actual.has(name) || this.#recorded.has(value)) return
    this.#actual.set(name, value)
    this.#recorded.set(value, name)
  }

  /** Of answers that differ, pairs what has the same place in their JSON. */
  #pairMembers(expected: string, actual: string): void {
    try {
      this.#pairValues(JSON.parse(expected), JSON.parse(actual), 0)
    } catch {
      // One of them is not JSON.
    }
  }

  #pairValues(expected: unknown, actual: unknown, depth: number): void {
    if (typeof expected === 'string' && typeof actual === 'string') {
      const [name] = expected.match(this.#pattern) ?? []
      if (name === expected) this.#pair(name, actual)
    } else if (isObject(expected) && isObject(actual) && depth < MAX_DEPTH)
      for (const [name, value] of Object.entries(expected))
        if (Object.hasOwn(actual, name)) this.#pairValues(value, actual[name], depth + 1)
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
