import type { BodyOf, Schemas } from '../../../lib/types.ts'

export type Rule = Schemas['Fault']
export type NewRule = BodyOf<'POST /faults'>
export const KINDS = ['status', 'delay', 'drop', 'optimistic_lock', 'partial', 'rate_limit', 'limits'] as const
export type Kind = (typeof KINDS)[number]

/** The fields of the form as texts; an address can have them, too: `#/faults/new?path=/answers&status=503`. */
export type RuleFields = Record<string, string | undefined>

export const kindOf = (fields: RuleFields): Kind =>
  KINDS.find((kind) => kind === fields.kind) ??
  (fields.min ? 'delay' : fields.drop ? 'drop' : fields.limit ? 'rate_limit' : fields.limits ? 'limits' : 'status')

export function fieldsOf({ match, action, probability, times }: Rule): RuleFields {
  const { status, body, headers, delay, partial, rate_limit } = action
  const [min, max] = typeof delay === 'object' ? [delay.min, delay.max] : [delay, undefined]
  return {
    kind: KINDS.find((kind) => action[kind] !== undefined),
    method: match.method,
    path: match.path,
    user: match.user?.toString(),
    status: status?.toString(),
    body: body === undefined ? undefined : bodyText(body),
    headers: headers && headerLines(headers),
    min: min?.toString(),
    max: max?.toString(),
    partial: partial?.join(', '),
    limit: rate_limit?.limit.toString(),
    window: rate_limit?.window.toString(),
    clock: rate_limit?.clock,
    percent: String(Number((probability * 100).toFixed(6))),
    times: times?.toString(),
  }
}

/** The body of the call that creates the rule. The server checks the values. */
export function ruleOf(kind: Kind, fields: RuleFields): NewRule {
  const { method, path, user, percent, times } = fields
  return {
    match: {
      ...(method && { method: method as 'GET' }),
      ...(path && { path }),
      ...(user && { user: Number(user) }),
    },
    action: actionOf(kind, fields),
    probability: percent ? Number(percent) / 100 : 1,
    times: times ? Number(times) : null,
  }
}

function actionOf(
  kind: Kind,
  { status, body, headers, min, max, partial = '', limit, window, clock }: RuleFields,
): NewRule['action'] {
  if (kind === 'drop') return { drop: true }
  if (kind === 'optimistic_lock') return { optimistic_lock: true }
  if (kind === 'partial') return { partial: partial.split(/[\s,]+/).filter(Boolean) }
  if (kind === 'delay') return { delay: max ? { min: Number(min), max: Number(max) } : Number(min) }
  if (kind === 'limits') return { limits: 'published' }
  if (kind === 'rate_limit')
    return { rate_limit: { limit: Number(limit), window: Number(window), ...(clock === 'world' && { clock }) } }
  return {
    status: Number(status),
    ...(body && { body: parseBody(body) }),
    ...(headers && { headers: parseHeaders(headers) }),
  }
}

/** A rule as the body of a call that creates it again. */
export const copyOf = ({ match, action, probability, times, seed, enabled }: Rule): NewRule => ({
  ...(Object.keys(match).length > 0 && { match }),
  action,
  ...(probability !== 1 && { probability, seed }),
  ...(times !== null && { times }),
  ...(!enabled && { enabled }),
})

/** JSON, or else text as it is. */
function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const bodyText = (body: unknown): string =>
  typeof body === 'string' && parseBody(body) === body ? body : JSON.stringify(body, null, 1)

const headerLines = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

const parseHeaders = (lines: string): Record<string, string> =>
  Object.fromEntries(
    lines
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [, name, value] = /^([^:]*):?(.*)$/.exec(line)!
        return [name!.trim().toLowerCase(), value!.trim()]
      }),
  )
