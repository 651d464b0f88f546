import { type CallLine, replayOf } from '../control/recording/format.ts'
import { pathOf } from '../http/patterns.ts'
import { CONTROL_PREFIX } from '../http/rewrite_url.ts'

/** How a call is sent again. */
export interface Sendable {
  /** Target without the prefix of a world. Undefined: it is not sent. */
  target?: string
  /** The call is not one that a recording has. */
  problem?: string
}

const WORLD_PREFIX = /^\/w\/[^/?]*(?=[/?]|$)/

/**
 * Decides by the address alone, whatever the recording calls the line: a file from elsewhere must not reach control
 * calls that act on the server or on other worlds.
 */
export function toSendable({ kind, method, target }: CallLine): Sendable {
  // Absolute and asterisk forms are for proxies; an HTTP client does not send them.
  if (!target.startsWith('/')) return {}
  const rest = target.replace(WORLD_PREFIX, '')
  const local = rest.startsWith('/') ? rest : `/${rest}`
  const isControl = `${pathOf(local)}/`.startsWith(`${CONTROL_PREFIX}/`)
  if (kind === 'call') return isControl ? { problem: 'target: is a control call' } : { target: local }
  if (!isControl) return { problem: 'target: is not a control call' }
  // What is checked is what is sent: one spelling of each path.
  const [path = '', ...query] = local.split('?')
  const segments = pathOf(path).split('/').filter(Boolean)
  const plain = `/${segments.slice(1).join('/')}`
  if (segments.some((segment) => segment === '.' || segment === '..') || replayOf(method, plain) !== 'send')
    return { problem: `target: ${method} ${plain.slice(0, 100)} is not a control call of a recording` }
  const encoded = segments.map((segment) => encodeURIComponent(segment)).join('/')
  return { target: `/${encoded}${query.length > 0 ? `?${query.join('?')}` : ''}` }
}
