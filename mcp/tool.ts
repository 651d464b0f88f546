import type { Client } from '../domains/shared/commands.ts'
import type { Call } from '../lib/types.ts'

/** A JSON Schema. */
export interface Schema {
  type?: string | string[]
  anyOf?: Schema[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  [keyword: string]: unknown
}

export type Arguments = Record<string, unknown>

/** What a tool does to the data, as hints for people where the defaults of the protocol do not say it. */
export const EFFECTS = {
  /** Changes nothing. */
  read: { readOnlyHint: true },
  /** Adds data, or moves time on: what exists stays. */
  add: { destructiveHint: false },
  /** Replaces or deletes what exists; again, it changes nothing more. */
  replace: { idempotentHint: true },
  /** Replaces or deletes, each time something else. */
  destroy: {},
} as const

interface Described {
  name: string
  title: string
  description: string
  effect: keyof typeof EFFECTS
  /** It may send requests to addresses outside the sandbox. */
  isOpenWorld?: true
  /** Arguments that work in a new demo world, after the examples of the tools before. */
  example: Arguments
  /** The members that are answered, or those of each row of a list; default: all. */
  members?: string[]
}

/** The value of an argument that is not given. */
interface Default {
  /** Such as `the first application`. */
  means: string
  find(client: Client): Promise<unknown>
}

/** A tool that makes a control call. Its input is that of the call in the OpenAPI document. */
export interface ControlTool extends Described {
  call: Call
  /** The call that is made instead if its path parameter is given: one element of the list. */
  one?: Call
  /** The call is about the server, not about a world. */
  isOfServer?: true
  /** The arguments that agents may give; default: all. */
  only?: string[]
  /** Values of other parameters. */
  fixed?: Arguments
  /** Arguments that may be left out although the call needs them. */
  defaults?: Record<string, Default>
  /** Name of the operation in `GET /progress`. */
  operation?: string
}

/** A tool with an input and a function of its own. */
export interface OwnTool extends Described {
  input: Record<string, Schema>
  required?: string[]
  run(args: Arguments, context: ToolContext): Promise<unknown>
}

export type Tool = ControlTool | OwnTool

/** What a tool needs to make its calls. */
export interface ToolContext {
  /** Calls the world of the arguments. Its requests are aborted when the call of the tool is cancelled. */
  client: Client
  /** Sends a call to the emulated API of this world. */
  callApi(call: ApiCall): Promise<ApiAnswer>
  isOwnServer: boolean
}

interface ApiCall {
  method: string
  /** With the query. */
  path: string
  body?: unknown
  token?: string | undefined
}

interface ApiAnswer {
  status: number
  headers: Record<string, unknown>
  /** Parsed if it is JSON. */
  body: unknown
}
