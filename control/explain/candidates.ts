import type { RouteOptions } from 'fastify'
import type { Violation } from '../../http/errors/answered_error.ts'
import { type Check, SecretValue } from '../../http/errors/checks.ts'
import { nearest } from '../../http/errors/suggestions.ts'
import {
  type CallModel,
  fieldSchema,
  type MatchedCall,
  type Place,
  placeOf,
  routedMethod,
  sentValue,
  withField,
} from './call_model.ts'
import { type Attempt, type Change, fieldChange, otherChange } from './changes.ts'
import { exampleBody, exampleValue, repairedBodies } from './example_bodies.ts'
import { type Schema, schemaOf } from './ladder.ts'
import { rootOf } from './members.ts'
import { nearestPaths } from './nearest_paths.ts'
import { renamedMembers } from './renames.ts'
import { repairedValues } from './repair.ts'
import type { Session } from './session.ts'

/** A call that was refused. */
export interface Problem extends Attempt, MatchedCall {
  check: Check
  violation: Violation
  status: number
}

const MAX_VALUES = 5
const MAX_CALLERS = 4

/** Changed calls that may be accepted, the smallest changes first. */
export async function candidatesOf(session: Session, problem: Problem): Promise<Attempt[]> {
  const { check, route, status } = problem
  if (check.id === 'faults') return withoutFault(problem)
  if (check.id === 'callback') return otherCallbacks(problem)
  if (check.id === 'path') return otherPaths(session, problem)
  if (check.id === 'method') return otherMethods(session, problem)
  if (!route) return []
  if (check.id === 'token') return otherCallers(session, problem, route)
  if (check.id === 'body_size') return otherBodies(session, problem, route)
  const renamed = isAboutBody(problem, route) ? renamedMembers(problem, route) : []
  const fields = [...renamed, ...(await otherValues(session, problem, route))]
  // `POST /questions/search` is a question on the listing `search`, but another method has that path.
  const fixed = session.paths.match(problem.call.path)
  if (check.id.startsWith('path.') && fixed !== problem.path)
    fields.unshift(...(await otherMethods(session, { ...problem, path: fixed })))
  const bodies = isAboutBody(problem, route) ? await otherBodies(session, problem, route) : []
  // Data of another user: its owner may call. A question that cannot be seen is not found.
  const callers = status === 403 || status === 404 ? await otherCallers(session, problem, route) : []
  return status === 403 ? [...callers, ...fields, ...bodies] : [...fields, ...bodies, ...callers]
}

/** One more change. */
const changed = ({ changes }: Attempt, call: CallModel, ...more: Change[]): Attempt => ({
  call,
  changes: [...changes, ...more],
})

const withoutFault = (problem: Problem): Attempt[] => [
  setField(problem, undefined, 'header', 'x-sandbox-fault', undefined),
]

function otherCallbacks(problem: Problem): Attempt[] {
  const sent = String(sentValue(problem.route, problem.call, 'query', 'callback') ?? '')
  const names = [sent.replace(/[^\w$.]/g, '').replace(/^[\d.]+/, ''), 'callback'].filter(Boolean)
  return names.map((name) => setField(problem, undefined, 'query', 'callback', name))
}

function setField(problem: Problem, route: RouteOptions | undefined, place: Place, name: string, value: unknown) {
  const { call } = problem
  const from = sentValue(route, call, place, name)
  return changed(
    problem,
    withField(route ?? { url: '' }, call, place, name, value),
    fieldChange(place, name, from, value),
  )
}

// Paths and methods

async function otherPaths(session: Session, problem: Problem): Promise<Attempt[]> {
  const { call } = problem
  const attempts: Attempt[] = []
  for (const { path, parameters } of nearestPaths(session.paths, call.path)) {
    const isKept = call.method === 'OPTIONS' || path.routes.has(routedMethod(call.method))
    const method = isKept ? call.method : [...path.routes.keys()][0]!
    const route = path.routes.get(routedMethod(method)) ?? [...path.routes.values()][0]!
    const url = await filledPath(session, problem, route, parameters)
    const methodChange = method === call.method ? [] : [otherChange('method', call.method, method)]
    const called = { ...call, path: url, method }
    const moved = method === 'OPTIONS' ? { call: called, changes: [] } : await withBodyFor(session, route, called)
    attempts.push(changed(problem, moved.call, otherChange('path', call.path, url), ...methodChange, ...moved.changes))
  }
  return attempts
}

async function filledPath(
  session: Session,
  { call }: Problem,
  { url, config, schema }: RouteOptions,
  parameters: Record<string, string>,
): Promise<string> {
  const segments: string[] = []
  for (const segment of url.split('/')) {
    const name = segment.slice(1)
    if (!segment.startsWith(':')) segments.push(segment)
    else if (parameters[name] !== undefined) segments.push(encodeURIComponent(parameters[name]))
    else {
      const [found] = (await config?.checks?.values?.[name]?.(session.contextOf(call))) ?? []
      const { params } = (schema ?? {}) as { params?: Schema }
      segments.push(encodeURIComponent(String(found ?? exampleValue(params?.properties?.[name] ?? {}))))
    }
  }
  return segments.join('/')
}

const WRITES = ['DELETE', 'POST', 'PUT']
/** A write is replaced by a write, and by DELETE last. */
const likeness = (method: string, sent: string): number =>
  WRITES.includes(method) === (WRITES.includes(sent) || sent === 'PATCH') ? 2 + WRITES.indexOf(method) : 0

async function otherMethods(session: Session, problem: Problem): Promise<Attempt[]> {
  const { call, path } = problem
  const attempts: Attempt[] = []
  const methods = [...(path?.routes.keys() ?? [])].sort((a, b) => likeness(b, call.method) - likeness(a, call.method))
  for (const method of methods) {
    const route = path!.routes.get(method)!
    const moved = await withBodyFor(session, route, { ...call, method })
    attempts.push(changed(problem, moved.call, otherChange('method', call.method, method), ...moved.changes))
  }
  return attempts
}

/** The call with a body if the route wants one and there is none. */
async function withBodyFor(session: Session, route: RouteOptions, call: CallModel): Promise<Attempt> {
  const hasBody = call.body.kind !== 'none' && call.body.kind !== 'unknown'
  if (!schemaOf(route).body) return { call: { ...call, body: { kind: 'none' } }, changes: [] }
  if (hasBody) return { call, changes: [] }
  return {
    call: { ...call, body: await exampleBody(session, route, call) },
    changes: [otherChange('body', null, null)],
  }
}

// Callers

async function otherCallers(session: Session, problem: Problem, route: RouteOptions): Promise<Attempt[]> {
  const { call } = problem
  const present = call.token.user
  // A token in the query may have been ignored.
  const isIgnored = present !== null && call.token.place === 'query'
  const likely = await session.likelyCallers(call)
  const users = isIgnored ? [present, ...likely.filter(({ user_id }) => user_id !== present.user_id)] : likely
  const others = users.filter((user) => isIgnored || user.user_id !== present?.user_id).slice(0, MAX_CALLERS)
  return Promise.all(
    others.map(async (user) => {
      const called: CallModel = { ...call, token: { user, place: 'header', isSent: true } }
      const body = isAssumed(problem) ? await exampleBody(session, route, called) : call.body
      const change = otherChange('token', present ? String(present.user_id) : null, String(user.user_id))
      return changed(problem, { ...called, body }, change)
    }),
  )
}

const isAssumed = ({ changes }: Attempt): boolean => changes.some(({ kind }) => kind === 'assumed')

// Bodies

/** Whether the body as a whole may be wrong. */
function isAboutBody({ check, violation, call }: Problem, route: RouteOptions): boolean {
  const name = violation.field ?? check.field
  const isOfBody = name !== undefined && name !== 'body' && placeOf(route, call, name) === 'body'
  return isOfBody || check.id === 'json' || /body$/.test(check.id)
}

async function otherBodies(session: Session, problem: Problem, route: RouteOptions): Promise<Attempt[]> {
  const { call } = problem
  const bodies = [...repairedBodies(call.body), await exampleBody(session, route, call)]
  return bodies.map((body) => changed(problem, { ...call, body }, otherChange('body', null, null)))
}

// Values

async function otherValues(session: Session, problem: Problem, route: RouteOptions): Promise<Attempt[]> {
  const { check, violation, call } = problem
  const name = violation.field ?? check.field
  if (name === undefined || name === 'body') return []
  const place = placeOf(route, call, name)
  if (place === undefined) return []
  const schema = fieldSchema(route, place, name)
  const sent = sentValue(route, call, place, name)
  // The member is not known. Without a nested one, the member around it may mean something else.
  if (place === 'body' && schema === undefined)
    return [...(await wholeMembers(session, problem, route, name)), setField(problem, route, 'body', name, undefined)]
  const found = await foundValues(session, problem, route, name)
  const near = schema ? repairedValues(sent, schema) : []
  const shown = schema ? [exampleValue(schema)].filter((value) => value !== undefined) : []
  const set = (value: unknown) => setField(problem, route, place, name, value)
  const values = distinct([...near, ...ordered(found, sent).slice(0, MAX_VALUES)], sent)
  const rest = distinct(shown, sent).filter((value) => !values.some((other) => isSame(other, value)))
  const isRemovable = sent !== undefined && !isRequired(route, place, name)
  return [
    ...values.map(set),
    ...(isRemovable ? [set(undefined)] : []),
    ...rest.map(set),
    ...(place === 'body' ? await wholeMembers(session, problem, route, name) : []),
    ...(place === 'path' && problem.status === 404 ? await otherParameters(session, problem, route) : []),
  ]
}

async function foundValues(session: Session, { call }: Problem, { config }: RouteOptions, name: string) {
  const found = (await config?.checks?.values?.[name]?.(session.contextOf(call))) ?? []
  return found.filter((value) => value !== undefined)
}

/** The words that are most like the sent one first; ids with digits that are alike have nothing in common. */
function ordered(values: readonly unknown[], sent: unknown): unknown[] {
  if (typeof sent !== 'string' || !values.every((value) => typeof value === 'string' && !/\d/.test(value)))
    return [...values]
  const words = values as string[]
  const typed = sent.trim().toLowerCase()
  const similar = nearest(
    typed,
    words.map((word) => word.toLowerCase()),
  )
  const isNear = (value: string) => value.toLowerCase() === typed || value.toLowerCase() === similar
  return [...words.filter(isNear), ...words.filter((word) => !isNear(word))]
}

const isSame = (a: unknown, b: unknown): boolean =>
  a instanceof SecretValue || b instanceof SecretValue ? a === b : JSON.stringify(a) === JSON.stringify(b)

const distinct = (values: readonly unknown[], sent: unknown): unknown[] =>
  values.filter((value, n) => !isSame(value, sent) && values.findIndex((other) => isSame(other, value)) === n)

function isRequired(route: RouteOptions, place: Place, name: string): boolean {
  if (place === 'path') return true
  const { querystring, body } = schemaOf(route)
  const schema = place === 'query' ? (querystring ?? body) : body
  return (schema?.required?.includes(name) ?? false) && schema?.properties?.[name]?.default === undefined
}

/** What does not exist may be named by several parameters of the path: all of them are replaced. */
async function otherParameters(session: Session, problem: Problem, route: RouteOptions): Promise<Attempt[]> {
  const names = route.url.split('/').flatMap((segment) => (segment.startsWith(':') ? [segment.slice(1)] : []))
  let attempt: Attempt = problem
  for (const name of names) {
    const sent = sentValue(route, attempt.call, 'path', name)
    const found = await foundValues(session, { ...problem, ...attempt }, route, name)
    if (found.length === 0 || found.some((value) => isSame(String(value), sent))) continue
    attempt = setField({ ...problem, ...attempt }, route, 'path', name, found[0])
  }
  return attempt === problem ? [] : [attempt]
}

/** A nested member may only be right together with others: the member of the body that contains it is replaced. */
async function wholeMembers(session: Session, problem: Problem, route: RouteOptions, name: string): Promise<Attempt[]> {
  const root = rootOf(name)
  if (root === name) return []
  const element = /^(.*\[\d+\])/.exec(name)?.[1]
  const schema = fieldSchema(route, 'body', root)
  const values = [...(await foundValues(session, problem, route, root)), ...(schema ? [exampleValue(schema)] : [])]
  return [
    ...(element === undefined ? [] : [setField(problem, route, 'body', element, undefined)]),
    ...values.filter((value) => value !== undefined).map((value) => setField(problem, route, 'body', root, value)),
  ]
}
