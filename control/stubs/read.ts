import type { Q } from '../../db/engine.ts'
import { conflict } from '../../domains/shared/errors.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { isDescribed, type Paths } from '../../http/paths.ts'
import { CONTROL_PREFIX, isControlCall } from '../../http/rewrite_url.ts'
import type { StubAnswer, StubMatch } from '../../http/stubs/stubs.ts'
import { checkJson, readHeaders } from '../answers.ts'
import { stubTotals } from './operations.ts'
import { MAX_STUBS, MAX_TOTAL_BYTES, type NewStub } from './schemas.ts'

/** Statuses whose answers have no body. */
const WITHOUT_BODY = new Set([204, 205, 304])
const MAX_BODY_BYTES = 256 * 1024
const MAX_MATCH_BYTES = 16 * 1024

/** Throws 400 with the name of the invalid member. */
export function readMatch(match: NewStub['match']): StubMatch {
  const { method = null, path, query, body } = match
  const parts = path.split('/')
  const names = parts.filter((part) => /^\{.*\}$/.test(part))
  if (new Set(names).size < names.length) throw badRequest('match.path: must not have a parameter twice')
  if (parts.some((part, n) => isMisplaced(part, n === parts.length - 1)))
    throw badRequest('match.path: must have {name} as a whole part, and * as the last part only')
  if (path.includes('%')) throw badRequest('match.path: must be decoded, without %')
  if (isControlCall(path) || /^\/w(\/|$)/.test(path))
    throw badRequest(`match.path: must not begin with ${CONTROL_PREFIX} or /w: such calls never reach a stub`)
  checkJson('match.query', query, MAX_MATCH_BYTES)
  checkJson('match.body', body, MAX_MATCH_BYTES)
  return { method, path, ...(query && { query }), ...(body !== undefined && { body }) }
}

function isMisplaced(part: string, isLast: boolean): boolean {
  const text = /^\{[^{}]+\}$/.test(part) || (isLast && part === '*') ? '' : part
  return /[{}*]/.test(text)
}

/** Throws 400 with the name of the invalid member. */
export async function readAnswer({ status = 200, headers, body, template }: NewStub['answer']): Promise<StubAnswer> {
  checkJson('answer.body', body, MAX_BODY_BYTES)
  if (body !== undefined && WITHOUT_BODY.has(status))
    throw badRequest(`answer.body: an answer with ${status} has no body`)
  const answer: StubAnswer = {
    status,
    ...(headers && { headers: readHeaders('answer.headers', headers) }),
    ...(body !== undefined && { body }),
    ...(template && { template }),
  }
  if (template) await checkTemplate(answer)
  return answer
}

async function checkTemplate(answer: StubAnswer): Promise<void> {
  if (answer.body === undefined) throw badRequest('answer.template: needs a body')
  const { checkTemplates, TemplateError } = await import('../../http/stubs/templates.ts')
  try {
    checkTemplates(answer)
  } catch (error) {
    throw error instanceof TemplateError ? badRequest(`answer.body: ${error.message}`) : error
  }
}

/** Throws 409 if a world has too many stubs, or too long ones. */
export async function checkTotals(q: Q): Promise<void> {
  const { count, bytes } = await stubTotals(q)
  if (count > MAX_STUBS) throw conflict(`A world has at most ${MAX_STUBS} stubs`)
  if (bytes > MAX_TOTAL_BYTES) throw conflict(`The answers of a world’s stubs have at most ${MAX_TOTAL_BYTES} bytes`)
}

/** Throws 400 if the API has all calls of a match, so that a stub would never answer, or if it could not answer them. */
export function checkEmulated(paths: Paths, { method, path }: StubMatch, override: boolean): void {
  const found = path.endsWith('*') ? undefined : paths.match(path)
  if (!found) return
  const routes = [...found.routes.values()]
  if (!isDescribed(found) || routes.some(({ config }) => config?.internal))
    throw badRequest(`match.path: ${found.url} belongs to the server, and cannot be stubbed`)
  if (routes.every(({ config }) => config?.typed)) return
  if (override || (method !== null && !found.routes.has(method === 'HEAD' ? 'GET' : method))) return
  throw badRequest(
    `override: must be true, because the API has ${[...found.routes.keys()].join(', ')} ${found.url}; or name another method`,
  )
}
