import { createHash, timingSafeEqual } from 'node:crypto'
import fp from 'fastify-plugin'
import { invalidToken, missingToken, apiError } from '../../plugins/errors.ts'

export interface GuardOptions {
  /** What every control call must bear. */
  adminToken: string | undefined
  /** Others than this machine can reach the server. */
  exposed: boolean
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i
const ASKED_BY_ITSELF = new Set(['same-origin', 'none'])

const forbidden = (message: string) => apiError(403, 'access_denied', message)

/**
 * Who may control: programs of this machine, or those that bear the admin token. Never a page from elsewhere in
 * somebody's browser, whether it names the server (Origin, Sec-Fetch-Site) or has its own name lead here (Host).
 */
export default fp<GuardOptions>(
  async (app, { adminToken, exposed: wide }) => {
    const expected = adminToken === undefined ? undefined : digest(adminToken)
    app.addHook('onRequest', ({ headers, host }, _reply, done) => {
      if (!wide && !LOOPBACK.test(host))
        return done(forbidden('Host: must be a name of this machine, such as localhost'))
      const site = headers['sec-fetch-site']
      if (site !== undefined && !ASKED_BY_ITSELF.has(String(site)))
        return done(forbidden('Sec-Fetch-Site: pages of other sites may not control this server'))
      if (headers.origin !== undefined && !isOwn(headers.origin, host))
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

function isOwn(origin: string, host: string): boolean {
  try {
    return new URL(origin).host === host
  } catch {
    return false
  }
}
