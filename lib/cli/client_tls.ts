import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { getCACertificates } from 'node:tls'
import { printable } from '../../domains/shared/commands.ts'
import { CliError, EXIT } from './errors.ts'

/** The certificates that Node trusts, and those of a file. Throws a CliError if it has none. */
export function readTrusted(file: string): string[] {
  let certificates: string[]
  try {
    certificates = readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
    certificates = certificates.map((certificate) => new X509Certificate(certificate).toString())
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? (error as Error).message
    throw new CliError(`--ca or MERCADITO_CA: cannot read ${printable(file)} (${why})`, EXIT.usage)
  }
  if (certificates.length === 0)
    throw new CliError(`--ca or MERCADITO_CA: ${printable(file)} has no certificate (PEM)`, EXIT.usage)
  return [...getCACertificates('default'), ...certificates]
}

const UNTRUSTED_CODES = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** What is wrong if a connection fails because of TLS, and what to do; undefined for other errors. */
export function explainTlsError({ code = '', message }: NodeJS.ErrnoException, base: string): string | undefined {
  const { protocol, hostname, host } = new URL(base)
  // Node parses the alert of the other side as HTTP.
  if (protocol === 'http:' && code === 'HPE_INVALID_CONSTANT')
    return `the server at ${base} does not speak HTTP; if it was started with --tls, its address is https://${host}`
  if (protocol === 'http:') return undefined
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG' || code === 'EPROTO')
    return `the server at ${base} does not speak TLS; use http://${host}, or start it with --tls`
  if (UNTRUSTED_CODES.has(code))
    return `the certificate of ${base} is not trusted (${code}); name its file with --ca or NODE_EXTRA_CA_CERTS`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the certificate of ${base} is not for ${hostname}; use a name or address that it contains`
  if (code.startsWith('CERT_')) return `the certificate of ${base} is not valid (${code}: ${message}); renew it`
  return undefined
}
