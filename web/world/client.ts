import { effect, signal } from '@preact/signals'
import { ControlError, control } from '../../lib/control.ts'
import type { AnswerOf, Call, CallOptions, ControlEvent, Operations } from '../../lib/types.ts'
import { fillPath } from '../../lib/urls.ts'
import { basePath, worldOf } from './address.ts'

/** Base address of the world that this page shows. */
export const baseUrl = location.origin + basePath(location.pathname)
export const worldId = worldOf(basePath(location.pathname))

const TOKEN_KEY = 'mercadito.admin_token'
/** In this tab only, and never in a cookie: other pages of this origin could send it. */
const adminToken = signal(sessionStorage.getItem(TOKEN_KEY) ?? undefined)
export const hasToken = (): boolean => adminToken.value !== undefined
/** A call waits until the person has entered the admin token. */
export const needsToken = signal(false)

export function enterToken(token: string): void {
  sessionStorage.setItem(TOKEN_KEY, token)
  adminToken.value = token
}

/** Path, query and body of a call, as the OpenAPI document describes them. */
export type InputOf<C extends Call> = Omit<Operations[C], 'answer' | 'query'> &
  (Operations[C] extends { query: infer Query } ? { query?: Query } : unknown) & { signal?: AbortSignal | undefined }
type Given<C extends Call> = keyof Omit<Operations[C], 'answer' | 'query'> extends never
  ? [input?: InputOf<C>]
  : [input: InputOf<C>]

interface AnyInput {
  path?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  signal?: AbortSignal | undefined
}

/** A call that failed, with what is needed to show it and to make it again. */
export class CallError extends Error {
  readonly status: number
  readonly input: AnyInput
  readonly call: string

  constructor(cause: ControlError, call: string, input: AnyInput) {
    super(cause.message.slice(cause.call.length + 2), { cause })
    this.status = cause.status
    this.call = call
    this.input = input
  }
}

/** Makes a call without a snapshot before it. Rejects with a CallError; waits for the admin token where one is missing. */
export const send = <C extends Call>(call: C, ...[input]: Given<C>): Promise<AnswerOf<C>> =>
  make(call, input) as Promise<AnswerOf<C>>

/** Reads something. */
export const read = send

/** Changes something. The server takes a snapshot before, with the label, to which "undo" returns. */
export const change = <C extends Call>(label: string, call: C, ...[input]: Given<C>): Promise<AnswerOf<C>> =>
  withUndo(label, (fetchFn) => make(call, input, { snapshot: label.slice(0, MAX_LABEL) }, fetchFn)) as Promise<
    AnswerOf<C>
  >

const MAX_LABEL = 100

/** A change of this page, and the name of the snapshot before it. */
export interface Change {
  label: string
  snapshot: string
}
export const lastChange = signal<Change | undefined>(undefined)
/** The names of the snapshots before changes of this page. */
export const ownSnapshots = new Set<string>()

/** Runs a change, which must use the given `fetch`. If the server has taken a snapshot, the change can be undone. */
export async function withUndo<T>(label: string, run: (fetchFn: typeof fetch) => Promise<T>): Promise<T> {
  let snapshot = 'none'
  const result = await run(async (...given) => {
    const answer = await fetch(...given)
    snapshot = answer.headers.get('x-sandbox-snapshot') ?? 'none'
    return answer
  })
  if (snapshot !== 'none') {
    ownSnapshots.add(snapshot)
    lastChange.value = { label, snapshot }
  }
  return result
}

/** A client with the present token, for the stream. */
export const client = (fetchFn: typeof fetch = (...given) => fetch(...given)) =>
  control(baseUrl, {
    adminToken: adminToken.value,
    fetch: (url, init) => fetchFn(url, { ...init, headers: { ...init?.headers, 'x-sandbox-by': 'console' } }),
  })

function make(call: string, input: AnyInput = {}, options: CallOptions = {}, fetchFn?: typeof fetch): Promise<unknown> {
  return withToken(async () => {
    try {
      const answer = await client(fetchFn).call(call as 'GET /clock', { ...input, ...options } as never)
      const [method, path] = call.split(' ') as [string, string]
      if (method !== 'GET') for (const listener of ownCalls) listener({ method, path: fillPath(path, input.path) })
      return answer
    } catch (error) {
      throw error instanceof ControlError ? new CallError(error, call, input) : error
    }
  })
}

export type OwnCall = Pick<ControlEvent, 'method' | 'path'>
/** Called after each call of this page that may have changed something: its event takes longer, or does not come. */
export const ownCalls = new Set<(call: OwnCall) => void>()

/** Makes a call again when a new token was entered, as long as the answer is 401. */
export async function withToken<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    const token = adminToken.peek()
    try {
      return await run()
    } catch (error) {
      if ((error as { status?: number }).status !== 401) throw error
      await tokenAfter(token)
    }
  }
}

function tokenAfter(rejected: string | undefined): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (adminToken.value === rejected) {
        needsToken.value = true
        return
      }
      needsToken.value = false
      resolve()
      queueMicrotask(() => stop())
    })
  })
}

/** null in place of an error with one of these statuses. */
export async function orNull<T>(answer: Promise<T>, statuses = [404]): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof CallError && statuses.includes(error.status)) return null
    throw error
  }
}
