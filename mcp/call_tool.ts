import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { Answer, Client } from '../domains/shared/commands.ts'
import { nearest } from '../http/errors/suggestions.ts'
import { AGENT } from '../http/journal/journal_entry.ts'
import { createClient, sendApiCall } from '../lib/cli/client.ts'
import { CliError } from '../lib/cli/errors.ts'
import { readServerProgress } from '../lib/cli/progress.ts'
import { fillPath, queryString } from '../lib/urls.ts'
import { formatAnswer } from './answer.ts'
import { checkedSchema, inputSchema, requestOf } from './inputs.ts'
import type { Arguments, ControlTool, Tool, ToolContext } from './tool.ts'

/** The server that tools call. */
export interface Target {
  /** Base address of the server or of a world of it. */
  url: string
  adminToken: string | undefined
  ca: string | undefined
  /** The server runs in this process. */
  isOwnServer: boolean
}

/** Work in progress; without `total` in seconds. */
export interface Amounts {
  progress: number
  total?: number
}

interface CallOptions {
  /** Aborts the requests. */
  signal: AbortSignal
  /** Called while the call is in flight, with growing amounts. */
  onProgress?: ((amounts: Amounts) => void) | undefined
}

/** The text that an agent gets. */
interface ToolAnswer {
  text: string
  isError: boolean
}

const PROGRESS_INTERVAL_MS = 500

const ajv = new Ajv({ strict: false, verbose: true })
const validators = new Map<Tool, ValidateFunction>()

/** Runs a tool. An error is an answer, too: it says which argument is wrong. */
export async function callTool(
  tool: Tool,
  args: Arguments,
  target: Target,
  { signal, onProgress }: CallOptions,
): Promise<ToolAnswer> {
  const mistake = findMistake(tool, args)
  if (mistake !== undefined) return { text: mistake, isError: true }
  const { world, ...rest } = args
  try {
    const context = createContext(target, tool, world as number | undefined, signal)
    const answer = await withProgress(tool, context.client, onProgress, () =>
      'call' in tool ? callControl(tool, rest, context.client) : tool.run(rest, context),
    )
    const hasBefore = Object.hasOwn(inputSchema(tool).properties!, 'before')
    return { text: formatAnswer(answer, { members: tool.members, hasBefore }), isError: false }
  } catch (error) {
    if (error instanceof CliError) return { text: error.message, isError: true }
    throw error
  }
}

/** The first argument that is wrong; undefined if there is none. */
function findMistake(tool: Tool, args: Arguments): string | undefined {
  const validate = validators.get(tool) ?? ajv.compile(checkedSchema(tool))
  validators.set(tool, validate)
  return validate(args) ? undefined : describeError(validate.errors![0]!, tool)
}

function describeError({ keyword, params, instancePath, message, parentSchema }: ErrorObject, { name }: Tool): string {
  if (keyword === 'required') return `${params.missingProperty} is missing`
  if (keyword === 'additionalProperties') {
    const names = Object.keys(parentSchema?.properties ?? {})
    const hint = didYouMean(params.additionalProperty, names) || `; it has ${names.join(', ') || 'none'}`
    return `${params.additionalProperty}: ${name} has no such argument${hint}`
  }
  if (keyword === 'pattern') return `${instancePath.slice(1)} must be: ${parentSchema?.description}`
  const values = keyword === 'enum' ? `: ${params.allowedValues.join(', ')}` : ''
  return `${instancePath.slice(1).replaceAll('/', '.')} ${message}${values}`
}

/** The end of a sentence: the nearest of the names, if one is near. */
export function didYouMean(typed: string, names: string[]): string {
  const near = nearest(typed, names)
  return near === undefined ? '' : `; did you mean ${near}?`
}

function createContext(
  { url, adminToken, ca, isOwnServer }: Target,
  tool: Tool,
  world: number | undefined,
  signal: AbortSignal,
): ToolContext {
  const snapshot = tool.effect === 'read' ? undefined : `mcp: ${tool.name}`
  const given = createClient(url, { adminToken, ca, signal, snapshot, userAgent: AGENT })
  const isServer = world === 1 || ('call' in tool && tool.isOfServer)
  const client = isServer
    ? given.server
    : world === undefined
      ? given
      : createClient(`${given.server.base}/w/${world}`, { adminToken, ca, signal, snapshot, userAgent: AGENT })
  return { client, isOwnServer, callApi: (call) => sendApiCall(client.base, call, { ca, signal, userAgent: AGENT }) }
}

async function callControl(tool: ControlTool, given: Arguments, client: Client): Promise<unknown> {
  const args = { ...given }
  for (const [name, { find }] of Object.entries(tool.defaults ?? {})) args[name] ??= await find(client)
  const { call, path, query, body } = requestOf(tool, args)
  const nested = Object.entries({ ...path, ...query }).find(([, value]) => typeof value === 'object')
  if (nested) throw new CliError(`${nested[0]} must be a single value`)
  const [method, template] = call.split(' ') as [string, string]
  const endpoint = `${method} ${fillPath(template, path)}${queryString(query)}`
  return requireSuccess(client, endpoint, await client.request(endpoint, body))
}

/** The body of an answer; an error also has what the server says about its cause, such as the most similar calls. */
function requireSuccess(client: Client, endpoint: string, answer: Answer): unknown {
  try {
    return client.requireSuccess(endpoint, answer)
  } catch (error) {
    const cause = answer.body?.cause
    if (!(error instanceof CliError) || !Array.isArray(cause) || cause.length === 0) throw error
    throw new CliError(`${error.message}\n${formatAnswer(cause)}`)
  }
}

/** Reports the progress of the server if it knows it, else the seconds. */
async function withProgress<A>(
  tool: Tool,
  client: Client,
  onProgress: CallOptions['onProgress'],
  work: () => Promise<A>,
): Promise<A> {
  if (!onProgress) return work()
  const operation = 'call' in tool ? tool.operation : undefined
  const read = operation === undefined ? undefined : readServerProgress(client, operation)
  const start = performance.now()
  let latest = 0
  const report = async () => {
    const amounts = read ? await read() : { done: Math.round((performance.now() - start) / 1000), total: 0 }
    if (!amounts || amounts.done <= latest) return
    latest = amounts.done
    onProgress({ progress: amounts.done, ...(amounts.total > 0 && { total: amounts.total }) })
  }
  // Progress is only shown: the call itself says what is wrong.
  const timer = setInterval(() => void report().catch(() => {}), PROGRESS_INTERVAL_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
