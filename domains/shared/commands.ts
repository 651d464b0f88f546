import type { Readable } from 'node:stream'
import { readDuration } from './durations.ts'
import { parseInstant } from './instants.ts'

// CLI commands are data: bin/ registers them, calls the server and prints.

/** The commands of a domain. */
export interface CommandSet {
  /** Descriptions of the parents of two-word commands, by the first word. */
  parents?: Record<string, string>
  commands: ClientCommand[]
}

/** A command that calls a running server. All have the same flags for the server, for JSON output, and for errors. */
// biome-ignore lint/suspicious/noExplicitAny: the type of the answer is known to `run` and `format` alone
export interface ClientCommand<Answer = any> {
  /** One word, or a parent and a subcommand: `lead create`. */
  name: string
  description: string
  args?: Argument[]
  flags?: Setting[]
  /** Members of the call that errors name, with the flag or argument of another name that sets them. */
  members?: Record<string, string>
  /** Command lines without `mercadito`. */
  examples: string[]
  /** The subcommand that runs when only its parent is named. */
  isDefault?: true
  /** Words behind the parent that select this subcommand without its name: `snapshot uno` is `snapshot create uno`. */
  impliedBy?: RegExp
  run(context: CommandContext): Promise<Answer>
  /** The output without --json. */
  format(answer: Answer, context: CommandContext): Output
}

/** Infers the type that `run` answers for `format`. */
export const defineCommand = <Answer>(definition: ClientCommand<Answer>): ClientCommand => definition

/** `[name, description, parser]`; the name as in a usage line: `<item>`, `[name]`, `<words...>`. */
export type Argument = [name: string, description: string, parse?: Setting['parse']]

/** A flag; the environment has a variable for each. */
export interface Setting {
  /** `--port <number>`; a flag without a value is on or off. */
  flags: string
  description: string
  defaultValue?: unknown
  /** How help shows the default. */
  defaultText?: string
  /** Returns the value of a text, given the previous value if the flag may be repeated. Throws InvalidValue. */
  // biome-ignore lint/suspicious/noExplicitAny: each parser knows the type of its own previous value
  parse?: (text: string, previous?: any) => unknown
  choices?: readonly string[]
  /** Names of flags that cannot be given with this one. */
  conflicts?: string[]
  /** The value is never printed. */
  isSecret?: true
}

// biome-ignore lint/suspicious/noExplicitAny: each command knows the flags that it declares
export type Flags = Record<string, any>

export interface CommandContext {
  client: Client
  /** Parsed; undefined where optional and omitted. */
  // biome-ignore lint/suspicious/noExplicitAny: each command knows the arguments that it declares
  args: any[]
  flags: Flags
  terminal: Terminal
  /** Streams a file, or standard input for `-`, and shows the progress. */
  sendFile<A>(file: string, send: (stream: Readable) => Promise<A>): Promise<A>
}

export interface Terminal {
  out(text: string): void
  err(text: string): void
}

export interface Answer {
  status: number
  /** The parsed JSON; undefined where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: commands name the shape that they expect
  body: any
}

/** Calls the control plane of a running server for one of its worlds. Errors are one line. */
export interface Client {
  /** Base address of the world. */
  base: string
  /** Number of the world. */
  world: number
  /** The same server with its default world. */
  server: Client
  /** `GET /clock`: answers the body. `body` is sent as JSON, or streamed. Rejects if the answer is an error. */
  // biome-ignore lint/suspicious/noExplicitAny: commands name the shape that they expect
  call(endpoint: string, body?: unknown): Promise<any>
  /** `call` of a GET with query parameters; undefined ones are left out. */
  // biome-ignore lint/suspicious/noExplicitAny: commands name the shape that they expect
  get(path: string, query: Record<string, unknown>): Promise<any>
  /** Like `call`, but resolves with error answers, too. */
  request(endpoint: string, body?: unknown): Promise<Answer>
  /** The body of an answer of `request`; throws if it is an error. */
  // biome-ignore lint/suspicious/noExplicitAny: commands name the shape that they expect
  requireSuccess(endpoint: string, answer: Answer): any
  /** Like `call`, but resolves with the body as a stream. */
  stream(endpoint: string): Promise<Readable>
}

/** Builds an endpoint; encodes the parts. */
export const path = (strings: TemplateStringsArray, ...parts: unknown[]): string =>
  strings.reduce((endpoint, text, n) => endpoint + encodeURIComponent(String(parts[n - 1])) + text)

/** A call that writes if there is anything to write, else reads. */
export const readOrWrite = (client: Client, endpoint: string, body: object, method = 'PUT') =>
  Object.values(body).every((value) => value === undefined)
    ? client.call(`GET ${endpoint}`)
    : client.call(`${method} ${endpoint}`, body)

/** A text, members with one line each, a table, or several of these. Texts are printed as they are: see `printable`. */
export type Output =
  | string
  | { fields: Record<string, unknown> }
  | { columns: string[]; rows: unknown[][] }
  | readonly Output[]

export const fields = (members: Record<string, unknown>): Output => ({ fields: members })
export const table = (columns: string[], rows: unknown[][]): Output => ({ columns, rows })

/** Control characters, and those that change the direction of text. */
export const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** A value of the server with control characters escaped: they must not steer the terminal. */
export const printable = (text: unknown): string =>
  String(text ?? '–').replace(CONTROL_CHARACTERS, (c) =>
    c === '\n' ? '↵' : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** A text as one word of a shell's command line. */
export const quoteShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** An argument or flag has a value that is not allowed. The message is a sentence, after the name of the flag. */
export class InvalidValue extends Error {}

export const mustBe = (requirement: string) => new InvalidValue(`It must be ${requirement}.`)

export const integer =
  (minimum: number, maximum: number = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const n = Number(text)
    if (!/^\d+$/.test(text) || n < minimum || n > maximum) throw mustBe(`an integer from ${minimum} to ${maximum}`)
    return n
  }

/** A user of whom the nickname was typed: before a command runs, the id takes its place. */
export class Nickname {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export function parseUser(text: string): number | Nickname {
  if (/^\d/.test(text)) return integer(0)(text)
  if (!/^\p{L}[^\u0000-\u001f]{0,59}$/u.test(text)) throw mustBe('the id or the nickname of a user')
  return new Nickname(text)
}

export const oneOf =
  (...choices: string[]) =>
  (text: string): string => {
    if (!choices.includes(text)) throw mustBe(`one of ${choices.join(', ')}`)
    return text
  }

/** Returns ms since 1970. */
export function parseInstantFlag(text: string): number {
  const ms = parseInstant(text)
  if (ms === undefined) throw mustBe('an ISO 8601 instant, for example 2026-03-02T12:00:00Z')
  return ms
}

/** The flag of a time in the world. */
export const atFlag = (description: string): Setting => ({
  flags: '--at <instant>',
  description: `${description}, in world time; default: now`,
  parse: parseInstantFlag,
})

/** An instant as control calls take it. */
export const toIso = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString()

/** Returns ms, from 0. A number without a unit is rejected: people mean seconds by it, control calls ms. */
export function parseDuration(text: string): number {
  const [, number] = /^\+?(\d+)$/.exec(text.trim()) ?? []
  if (number !== undefined) throw new InvalidValue(`It needs a unit, such as ${number}s or ${number}ms.`)
  const ms = readDuration(text)
  if (ms === undefined || ms < 0) throw mustBe('a duration, such as 2h30m, 90s, 500ms, 1d or PT2H30M')
  return ms
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw mustBe('JSON')
  }
}
