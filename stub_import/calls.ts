import { isDeepStrictEqual } from 'node:util'
import type { NewStub } from '../control/stubs/schemas.ts'
import { printable } from '../domains/shared/commands.ts'
import { parseBody } from '../http/bodies.ts'
import { REDACTED, redactTokens, replaceSecrets, SECRETS } from '../http/journal/redaction.ts'
import { usageError } from '../lib/cli/errors.ts'
import { readLines } from '../replay/read.ts'

/** A recorded call, with its answer. */
interface SeenCall {
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

/** The parts of HAR 1.2 that stubs are made from. */
interface Entry {
  request?: { method?: unknown; url?: unknown; postData?: { text?: unknown; mimeType?: unknown } }
  response?: { status?: unknown; content?: { text?: unknown; mimeType?: unknown; encoding?: unknown } }
}

export const isHar = (document: unknown): document is { log: { entries: Entry[] } } =>
  Array.isArray((document as { log?: { entries?: unknown } } | null)?.log?.entries)

/** The calls of a HAR file; `host`: only those to this one. */
export const callsOfHar = ({ log }: { log: { entries: Entry[] } }, host: string | undefined): SeenCall[] =>
  log.entries.flatMap(({ request = {}, response = {} }) => {
    if (!URL.canParse(textOf(request.url))) return []
    const url = new URL(textOf(request.url))
    if (host !== undefined && url.host !== host) return []
    const { content = {} } = response
    const answer = textOf(content.text)
    return [
      {
        method: textOf(request.method).toUpperCase(),
        target: url.pathname + url.search,
        body: request.postData && textOf(request.postData.text),
        bodyType: request.postData && textOf(request.postData.mimeType),
        status: Number(response.status),
        answerType: textOf(content.mimeType),
        answer: content.encoding === 'base64' ? Buffer.from(answer, 'base64').toString() : answer,
      },
    ]
  })

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const MAX_CHARACTERS = 64 * 1024 * 1024

/** The calls of a recording whose whole answer it has. Throws a CliError. */
export async function callsOfRecording(file: string): Promise<SeenCall[]> {
  const calls: SeenCall[] = []
  let characters = 0
  for await (const { line } of readLines(file)) {
    if (line.kind !== 'call' || line.status === null || line.compare === 'prefix' || line.incomplete) continue
    const { method, target, body, headers, status, answer = '', answer_headers } = line
    characters += target.length + (body?.length ?? 0) + answer.length
    if (characters > MAX_CHARACTERS)
      throw usageError(`${printable(file)}: its calls have more than ${MAX_CHARACTERS} characters`)
    calls.push({
      ...{ method, body, status, answer },
      target: target.replace(/^\/w\/\d+(?=\/)/, ''),
      bodyType: headers['content-type'],
      // The journal has no headers of answers.
      answerType: answer_headers?.['content-type'] ?? 'application/json',
    })
  }
  return calls
}
