import { isDeepStrictEqual } from 'node:util'
import type { NewStub } from '../control/stubs/schemas.ts'
import { parseBody } from '../http/bodies.ts'
import { REDACTED, redactTokens, replaceSecrets, SECRETS } from '../http/journal/redaction.ts'

/** A recorded call, with its answer. */
export interface SeenCall {
  method: string
  /** Path and query. */
  target: string
  /** Undefined without a body. */
  body: string | undefined
  bodyType: string | undefined
  status: number
  answerType: string
  answer: string
}

export interface Skipped {
  /** The call or file that makes no stub. */
  what: string
  why: string
}

export interface Imported {
  stubs: NewStub[]
  skipped: Skipped[]
}

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
const WITHOUT_BODY = new Set([204, 205, 304])
/** Our own answer to a path that we do not have. */
const NOT_EMULATED = '"error":"resource not found"'

/**
 * The stubs that answer recorded calls as they were answered. Calls that were answered differently each time make a
 * sequence; bodies count only where they tell calls apart. Secrets are left out of matches, and replaced in answers.
 */
export function stubsOfCalls(calls: readonly SeenCall[]): Imported {
  const skipped: Skipped[] = []
  const usable = calls.flatMap((call) => {
    const why = reasonToSkip(call)
    if (why === undefined) return [prepare(call)]
    skipped.push({ what: `${call.method} ${redactTokens(call.target.split('?', 1)[0]!)}`, why })
    return []
  })
  const groups = Map.groupBy(usable, ({ method, path, query }) => JSON.stringify([method, path, query]))
  return { stubs: [...groups.values()].flatMap(stubsOfGroup), skipped }
}

function reasonToSkip({ method, status, answerType, answer }: SeenCall): string | undefined {
  if (!METHODS.has(method)) return `${method} is answered by the server`
  if (status < 200 || status > 599) return 'it has no answer'
  if (status === 404 && answer.includes(NOT_EMULATED)) return 'it was no path of the server'
  if (answer === '' || WITHOUT_BODY.has(status)) return undefined
  if (!/\bjson\b/.test(answerType)) return `its answer is ${answerType || 'of no type'}, not JSON`
  try {
    JSON.parse(answer)
    return undefined
  } catch {
    return 'its answer is not complete JSON'
  }
}

interface PreparedCall {
  method: string
  path: string
  query: Record<string, string | string[]>
  body: unknown
  answer: NewStub['answer']
}

function prepare({ method, target, body, bodyType, status, answer }: SeenCall): PreparedCall {
  const url = new URL(target, 'http://localhost')
  const hasBody = answer !== '' && !WITHOUT_BODY.has(status)
  return {
    method,
    path: decodePath(url.pathname),
    query: readQuery(url.searchParams),
    body: withoutSecrets(parseBody(body, bodyType)),
    answer: { status, ...(hasBody && { body: replaceSecrets(JSON.parse(answer), () => REDACTED) }) },
  }
}

/** What it leaves escaped no stub can match. */
function decodePath(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

function readQuery(parameters: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(parameters.keys())].sort()
  return Object.fromEntries(
    names
      .filter((name) => !SECRETS.request.has(name))
      .map((name) => {
        const values = parameters.getAll(name)
        return [name, values.length > 1 ? values : values[0]!] as const
      })
      .filter(([, values]) => [values].flat().every((value) => redactTokens(value) === value)),
  )
}

/** A body without the members that have secrets. */
function withoutSecrets(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withoutSecrets)
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(
    Object.entries(body)
      .filter(
        ([name, value]) =>
          !SECRETS.request.has(name) &&
          isDeepStrictEqual(
            replaceSecrets(value, () => ''),
            value,
          ),
      )
      .map(([name, value]) => [name, withoutSecrets(value)]),
  )
}

/** Calls of the same address. */
function stubsOfGroup(calls: PreparedCall[]): NewStub[] {
  const byBody = [...Map.groupBy(calls, ({ body }) => JSON.stringify(body)).values()]
  // A stub without a body matches every call: it comes last.
  const ordered = byBody.sort((a, b) => Number(a[0]!.body === null) - Number(b[0]!.body === null))
  return ordered.flatMap((same) => {
    const { method, path, query, body } = same[0]!
    const match = {
      ...{ method, path },
      ...(Object.keys(query).length > 0 && { query }),
      ...(byBody.length > 1 && body !== null && { body }),
    }
    const runs = runsOf(same.map(({ answer }) => answer))
    return runs.map(({ answer, times }, n) => ({ match, answer, ...(n < runs.length - 1 && { times }) }))
  })
}

/** Equal answers in a row, with their number. */
function runsOf(answers: NewStub['answer'][]): { answer: NewStub['answer']; times: number }[] {
  const runs: { answer: NewStub['answer']; times: number }[] = []
  for (const answer of answers) {
    const last = runs.at(-1)
    if (last && isDeepStrictEqual(last.answer, answer)) last.times++
    else runs.push({ answer, times: 1 })
  }
  return runs
}
