import { createHash, timingSafeEqual } from 'node:crypto'
import fp from 'fastify-plugin'
import { forbidden, invalidToken, missingToken } from '../http/errors.ts'

export interface ControlAccessOptions {
  /** The token that every control call must have; undefined if none is needed. */
  adminToken: string | undefined
  /** The server listens beyond loopback or behind a proxy, so that `Host` says nothing about the caller. */
  isExposed: boolean
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i
const SAME_ORIGIN_SITES = new Set(['same-origin', 'none'])

/**
 * Accepts control calls from loopback, or with the admin token. Pages of other sites in a local browser are rejected:
 * by Origin and Sec-Fetch-Site, and by Host if they use DNS rebinding [spec: http.control.origin].
 */
export default fp<ControlAccessOptions>(
  async (app, { adminToken, isExposed }) => {
    // A proxy may send another Host than browsers do.
    const publicOrigin = app.publicUrl && new URL(app.publicUrl).origin
    const expected = adminToken === undefined ? undefined : digest(adminToken)
    app.addHook('onRequest', ({ headers, host }, _reply, done) => {
      if (!isExposed && !LOOPBACK.test(host))
        return done(forbidden('Host: must be a name of this machine, such as localhost'))
      const site = headers['sec-fetch-site']
      if (site !== undefined && !SAME_ORIGIN_SITES.has(String(site)))
        return done(forbidden('Sec-Fetch-Site: pages of other sites may not control this server'))
      if (headers.origin !== undefined && !isSameOrigin(headers.origin, host) && headers.origin !== publicOrigin)
        return done(forbidden('Origin: pages of other sites may not control this server'))
      if (expected === undefined) return done()
      const [, sent] = /^bearer +(.+)$/i.exec(headers.authorization ?? '') ?? []
      if (sent === undefined) return done(missingToken())
      // Digests have equal lengths, so that the comparison takes the same time for every token.
      done(timingSafeEqual(digest(sent.trim()), expected) ? undefined : invalidToken())
    })
  },
  { name: 'control access', dependencies: ['traffic'] },
)

const digest = (text: string) => createHash('sha256').update(text).digest()

function isSameOrigin(origin: string, host: string): boolean {
  try {
    return new URL(origin).host === host
  } catch {
    return false
  }
}
