import type { TlsOptions } from 'node:tls'
import type { ContextOf } from './authority.ts'
import { parseTarget } from './hosts.ts'

const HANDSHAKE_TIMEOUT_MS = 10_000

export interface SecureOptions {
  /** Whether clients get a certificate for this host; default: for every host. */
  isIssued?(host: string): boolean
  /** Called when a client offers HTTP/2 only. Its connection is closed with a TLS alert. */
  onHttp2?(host: string): void
}

/** Options of a TLS server that answers for many hosts, with HTTP/1.1. */
export const secureOptions = (
  contextOf: ContextOf,
  { isIssued = () => true, onHttp2 }: SecureOptions = {},
): TlsOptions => ({
  handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
  SNICallback(name, done) {
    const host = parseTarget(name, 443)?.host
    if (host === undefined || !isIssued(host)) return done(new Error(`no certificate for ${name}`))
    contextOf(host).then((context) => done(null, context), done)
  },
  ALPNCallback({ servername, protocols }) {
    if (protocols.includes('http/1.1')) return 'http/1.1'
    if (protocols.includes('h2')) onHttp2?.(servername)
    return undefined
  },
})
