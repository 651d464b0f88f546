import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { forbidden } from '../http/errors/control_errors.ts'
import { type ApiError, invalidToken, missingToken } from '../http/errors/errors.ts'
import type { Role } from '../http/fastify_types.ts'
import { maskSecrets } from '../http/journal/redaction.ts'
import { stateOf } from '../http/request_state.ts'

export interface ControlAccessOptions {
  /** The token that every control call must have; undefined if none is needed. */
  adminToken: string | undefined
  /** A second token, which may only read, and reads no secrets; undefined if there is none. */
  viewerToken: string | undefined
  /** While it returns true, callers without a token are viewers; a server with an admin token ignores it. */
  isReadOnly?: (() => boolean) | undefined
  /** The server listens beyond loopback or behind a proxy, so that `Host` says nothing about the caller. */
  isExposed: boolean
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i
const SAME_ORIGIN_SITES = new Set(['same-origin', 'none'])

/**
 * Accepts control calls from loopback, or with the admin token. Pages of other sites in a local browser are rejected:
 * by Origin and Sec-Fetch-Site, and by Host if they use DNS rebinding [spec: http.control.origin]. The viewer token is
 * accepted by routes that declare `isViewable`, and gets `***` for what their response schemas mark as secret.
 */
export default fp<ControlAccessOptions>(
  async (app, { adminToken, viewerToken, isReadOnly, isExposed }) => {
    app.addHook('onRoute', rejectUnmaskable)
    // A proxy may send another Host than browsers do.
    const publicOrigin = app.publicUrl && new URL(app.publicUrl).origin
    const readRole = createRoleReader({ adminToken, viewerToken, isReadOnly })
    app.addHook('onRequest', (request, _reply, done) => {
      const { headers, host } = request
      if (!isExposed && !LOOPBACK.test(host)) return done(foreignHost())
      const site = headers['sec-fetch-site']
      if (site !== undefined && !SAME_ORIGIN_SITES.has(String(site)))
        return done(forbidden('Sec-Fetch-Site: pages of other sites may not control this server'))
      if (headers.origin !== undefined && !isSameOrigin(headers.origin, host) && headers.origin !== publicOrigin)
        return done(forbidden('Origin: pages of other sites may not control this server'))
      const role = readRole(headers.authorization)
      if (typeof role !== 'string') return done(role)
      if (role === 'viewer' && !isViewable(request))
        return done(forbidden(adminToken === undefined ? READ_ONLY_MESSAGE : VIEWER_MESSAGE))
      stateOf(request.raw).role = role
      done()
    })
    if (viewerToken === undefined && !isReadOnly) return
    app.addHook('preSerialization', ({ raw, routeOptions: { schema } }, { statusCode }, payload, done) => {
      if (stateOf(raw).role !== 'viewer') return done(null, payload)
      const responses = schema?.response as Record<string, object> | undefined
      done(null, maskSecrets(responses?.[statusCode] ?? {}, payload))
    })
  },
  { name: 'control access', dependencies: ['traffic'] },
)

/** Returns who sends an Authorization header, or the error. */
function createRoleReader({ adminToken, viewerToken, isReadOnly }: Omit<ControlAccessOptions, 'isExposed'>) {
  if (adminToken === undefined) return (): Role => (isReadOnly?.() ? 'viewer' : 'local')
  const admin = digest(adminToken)
  const viewer = viewerToken === undefined ? undefined : digest(viewerToken)
  return (authorization: string | undefined): Role | ApiError => {
    const [, text] = /^bearer +(.+)$/is.exec(authorization ?? '') ?? []
    if (text === undefined) return missingToken()
    const sent = digest(text.trim())
    // Digests have equal lengths, so that the comparison takes the same time for every token.
    if (timingSafeEqual(sent, admin)) return 'admin'
    return viewer && timingSafeEqual(sent, viewer) ? 'viewer' : invalidToken()
  }
}

/** Rejects a route for viewers whose answers `maskSecrets` would not see, or whose schema says nothing about them. */
function rejectUnmaskable({ method, url, schema, config }: RouteOptions): void {
  if (!config?.isViewable || config.isUnmasked) return
  const responses = Object.entries((schema?.response ?? {}) as Record<string, { type?: string }>)
  const answers = responses.filter(([status]) => status.startsWith('2'))
  if (answers.length === 0 || answers.some(([, { type }]) => type !== 'object'))
    throw new Error(`${method} ${url}: viewers may read only objects that have a schema, or what declares isUnmasked`)
}

const VIEWER_MESSAGE = 'Authorization: the viewer token may only read; this call needs the admin token'

const READ_ONLY_MESSAGE = 'This server shows a replay, and cannot be changed'

/** An unknown path or method is answered as for everyone. */
const isViewable = ({ is404, routeOptions: { config } }: FastifyRequest): boolean => is404 || config.isViewable === true

/** Rejects pages of other sites that reach this machine by DNS rebinding; for files that anybody may read. */
export const localHosts = fp<Pick<ControlAccessOptions, 'isExposed'>>(
  async (app, { isExposed }) => {
    app.addHook('onRequest', ({ host }, _reply, done) =>
      done(isExposed || LOOPBACK.test(host) ? undefined : foreignHost()),
    )
  },
  { name: 'local hosts', dependencies: ['traffic'] },
)

const foreignHost = () => forbidden('Host: must be a name of this machine, such as localhost')

const digest = (text: string) => createHash('sha256').update(text).digest()

function isSameOrigin(origin: string, host: string): boolean {
  try {
    return new URL(origin).host === host
  } catch {
    return false
  }
}
