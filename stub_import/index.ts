import { readFile, stat } from 'node:fs/promises'
import { readAsset } from '../db/assets.ts'
import { printable } from '../domains/shared/commands.ts'
import { redactTokens } from '../http/journal/redaction.ts'
import { usageError } from '../lib/cli/errors.ts'
import { isCompressed } from '../replay/read.ts'
import { callsOfHar, callsOfRecording, type Imported, isHar, type Skipped, stubsOfCalls } from './calls.ts'
import { isOpenApi, type OpenApi, stubsOfOpenApi } from './openapi.ts'
import { TooManyValues } from './sample.ts'

const MAX_BYTES = 64 * 1024 * 1024
const MAX_STUBS = 1000
const MAX_BODY_BYTES = 256 * 1024

interface ImportOptions {
  /** Of a HAR file: only calls to this host. */
  host?: string | undefined
  /** Also calls that the emulated API has. */
  override?: boolean | undefined
}

/** The stubs that an OpenAPI document, a HAR file or a recording gives. Throws a CliError. */
export async function readStubs(file: string, { host, override = false }: ImportOptions): Promise<Imported> {
  const { stubs, skipped } = await readAll(file, host)
  const kept = stubs.filter(({ match, answer }) => {
    const why = reasonToSkip(match, answer, override)
    if (why !== undefined) skipped.push({ what: `${match.method} ${redactTokens(match.path)}`, why })
    return why === undefined
  })
  const beyond = kept.splice(MAX_STUBS)
  if (beyond.length > 0) skipped.push({ what: `${beyond.length} stubs`, why: `a world has at most ${MAX_STUBS}` })
  return { stubs: override ? kept.map((stub) => ({ ...stub, override })) : kept, skipped: summarize(skipped) }
}

async function readAll(file: string, host: string | undefined): Promise<Imported> {
  if (await isCompressed(file)) return stubsOfCalls(await callsOfRecording(file))
  if ((await stat(file)).size > MAX_BYTES) throw usageError(`${printable(file)}: has more than ${MAX_BYTES} bytes`)
  const text = await readFile(file, 'utf8')
  if (/^\{"kind":"header"/.test(text)) return stubsOfCalls(await callsOfRecording(file))
  const document = await parseDocument(text).catch((error: Error) => {
    throw usageError(`${printable(file)}: ${printable(error.message.split('\n', 1)[0])}`)
  })
  if (isHar(document)) return stubsOfCalls(callsOfHar(document, host))
  if (isOpenApi(document)) return openApiStubs(file, document)
  throw usageError(`${printable(file)}: is no OpenAPI document, HAR file or recording`)
}

function openApiStubs(file: string, document: OpenApi): Imported {
  try {
    return stubsOfOpenApi(document)
  } catch (error) {
    throw error instanceof TooManyValues ? usageError(`${printable(file)}: ${printable(error.message)}`) : error
  }
}

/** JSON or YAML. Throws an Error. */
async function parseDocument(text: string): Promise<unknown> {
  if (/^\s*[[{]/.test(text)) return JSON.parse(text)
  const { parseYaml } = await import('./yaml.ts')
  return parseYaml(text)
}

type Stub = Imported['stubs'][number]

function reasonToSkip(match: Stub['match'], answer: Stub['answer'], override: boolean): string | undefined {
  if (!override && isEmulated(match)) return 'the emulated API has it; --override replaces it'
  if (redactTokens(match.path) !== match.path) return 'its path has a token'
  const parts = match.path.split('/')
  if (parts.some((part) => /[{}*%]/.test(part) && !/^\{[^{}]+\}$/.test(part))) return 'stubs have no such path'
  if (Buffer.byteLength(JSON.stringify(answer.body ?? null)) > MAX_BODY_BYTES)
    return `its answer has more than ${MAX_BODY_BYTES} bytes`
  return undefined
}

/** The paths of the emulated API, read once. */
let emulated: OpenApi['paths']

function isEmulated({ method, path }: Stub['match']): boolean {
  emulated ??= (JSON.parse(readAsset('openapi.json').toString()) as OpenApi).paths ?? {}
  const sent = path.split('/')
  return Object.entries(emulated).some(([template, operations]) => {
    const parts = template.split('/')
    const isMatch = parts.length === sent.length && parts.every((part, n) => part.startsWith('{') || part === sent[n])
    return isMatch && method !== undefined && method.toLowerCase() in operations
  })
}

/** Each call once. */
const summarize = (skipped: Skipped[]): Skipped[] => [
  ...new Map(skipped.map((one) => [`${one.what} ${one.why}`, one])).values(),
]
