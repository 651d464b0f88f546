import { createHash, timingSafeEqual } from 'node:crypto'
import fp from 'fastify-plugin'
import { apiError, invalidToken, missingToken } from '../http/errors.ts'

export interface ControlAccessOptions {
  /** What every control call must bear. */
  adminToken: string | undefined
  /** Others than this machine can reach the server. */
  isExposed: boolean
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i
const SAME_ORIGIN_SITES = new Set(['same-origin', 'none'])

const forbidden = (message: string) => apiError(403, 'access_denied', message)

/**
 * Who may control: programs of this machine, or those that bear the admin token. Never a page from elsewhere in
 * somebody's browser, whether it names the server (Origin, Sec-Fetch-Site) or has its own name lead here (Host).
 */
export default fp<ControlAccessOptions>(
  async (app, { adminToken, isExposed }) => {
    const expected = adminToken === undefined ? undefined : digest(adminToken)
    app.addHook('onRequest', ({ headers, host }, _reply, done) => {
      if (!isExposed && !LOOPBACK.test(host))
        return done(forbidden('Host: must be a name of this machine, such as localhost'))
      const site = headers['sec-fetch-site']
      if (site !== undefined && !SAME_ORIGIN_SITES.has(String(site)))
        return done(forbidden('Sec-Fetch-Site: pages of other sites may not control this server'))
      if (headers.origin !== undefined && !isSameOrigin(headers.origin, host))
        return done(forbidden('Origin: pages of other sites may not control this server'))
      if (expected === undefined) return done()
      const [, sent] = /^bearer +(.+)$/i.exec(headers.authorization ?? '') ?? []
      if (sent === undefined) return done(missingToken())
      // Equal lengths, so that the time taken tells nothing.
      done(timingSafeEqual(digest(sent.trim()), expected) ? undefined : invalidToken())
    })
  },
  { name: 'guard' },
)

const digest = (text: string) => createHash('sha256').update(text).digest()

function isSameOrigin(origin: string, host: string): boolean {
  try {
    return new URL(origin).host === host
  } catch {
    return false
  }
}
