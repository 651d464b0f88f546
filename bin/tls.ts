import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { realNow } from '../db/clock.ts'
import { CliError, EXIT, usageError } from '../lib/cli/errors.ts'

export interface TlsFlags {
  tls?: 'self-signed'
  tlsCert?: string
  tlsKey?: string
}

interface Tls {
  key: string
  cert: string
  /** The self-signed certificate, which clients must trust; otherwise undefined. */
  certificateFile: string | undefined
}

/** A certificate that expires sooner is replaced. */
const MIN_REMAINING_MS = 30 * 24 * 3_600_000
const WILDCARD_ADDRESSES = new Set(['0.0.0.0', '::'])

/** Throws a CliError if a certificate has no key, or a key no certificate. */
export function checkTls({ tlsCert, tlsKey }: TlsFlags): void {
  if ((tlsCert === undefined) !== (tlsKey === undefined)) throw usageError('--tls-cert needs --tls-key, and vice versa')
}

/** The key and certificate of the server, if it uses https; `folder` stores those that it creates. Throws a CliError. */
export async function readTls(
  flags: TlsFlags,
  host: string,
  folder: string,
  isKept: boolean,
): Promise<Tls | undefined> {
  const { tls, tlsCert, tlsKey } = flags
  if (tlsCert !== undefined && tlsKey !== undefined)
    return {
      ...checkKeyPair(readPem(tlsCert), readPem(tlsKey), `${tlsCert} and ${tlsKey}`),
      certificateFile: undefined,
    }
  if (!tls) return undefined
  const names = [...new Set(['localhost', hostname(), ...(isIP(host) ? [] : [host])])]
  const addresses = [...new Set(['127.0.0.1', '::1', ...(isIP(host) && !WILDCARD_ADDRESSES.has(host) ? [host] : [])])]
  const certificateFile = join(folder, 'tls-cert.pem')
  const keyFile = join(folder, 'tls-key.pem')
  if (isKept && existsSync(certificateFile) && existsSync(keyFile)) {
    const existing = checkKeyPair(readPem(certificateFile), readPem(keyFile), `${certificateFile} and ${keyFile}`)
    if (isStillValid(existing.cert, names, addresses)) return { ...existing, certificateFile }
  }
  const { createSelfSigned } = await import('./certificate.ts')
  const generated = await createSelfSigned(names, addresses)
  // The key of a temporary server is not written.
  if (isKept) writeFileSync(keyFile, generated.key, { mode: 0o600 })
  writeFileSync(certificateFile, generated.cert)
  return { ...generated, certificateFile }
}

function readPem(file: string): string {
  try {
    return readFileSync(resolve(file), 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CliError(`cannot read ${file} (${code}); set PEM files with --tls-cert and --tls-key`, EXIT.tls)
  }
}

function checkKeyPair(cert: string, key: string, files: string): { cert: string; key: string } {
  try {
    createSecureContext({ cert, key })
    return { cert, key }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new CliError(
      `${files} are not a PEM certificate and its key (${code ?? message}); check that they belong together`,
      EXIT.tls,
    )
  }
}

function isStillValid(pem: string, names: string[], addresses: string[]): boolean {
  const cert = new X509Certificate(pem)
  return (
    Date.parse(cert.validTo) - realNow() > MIN_REMAINING_MS &&
    names.every((name) => cert.checkHost(name)) &&
    addresses.every((address) => cert.checkIP(address))
  )
}
