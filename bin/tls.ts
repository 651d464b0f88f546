import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { realNow } from '../db/clock.ts'
import { CliError, EXIT, usageError } from './errors.ts'

export interface TlsFlags {
  tls?: 'self-signed'
  tlsCert?: string
  tlsKey?: string
}

export interface Tls {
  key: string
  cert: string
  /** The file that clients are given to trust the server; undefined where somebody else vouches for it. */
  certificateFile: string | undefined
}

/** A certificate that ends sooner is made anew. */
const MIN_REMAINING_MS = 30 * 24 * 3_600_000
const WILDCARD_ADDRESSES = new Set(['0.0.0.0', '::'])

/** Throws a Failure where the flags do not fit together: before anything is made. */
export function checkTls({ tls, tlsCert, tlsKey }: TlsFlags): void {
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw usageError('--tls-cert and --tls-key belong together; name both files')
  if (tls && tlsCert !== undefined)
    throw usageError('--tls self-signed makes a certificate; leave it out with --tls-cert')
}

/** What the server shows to https clients, if it is to; `folder` is where it keeps its own. Throws a Failure. */
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
  // A key for a while is in memory alone.
  if (isKept) writeFileSync(keyFile, generated.key, { mode: 0o600 })
  writeFileSync(certificateFile, generated.cert)
  return { ...generated, certificateFile }
}

function readPem(file: string): string {
  try {
    return readFileSync(resolve(file), 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CliError(`${file} cannot be read (${code}); name a PEM file with --tls-cert and --tls-key`, EXIT.tls)
  }
}

function checkKeyPair(cert: string, key: string, files: string): { cert: string; key: string } {
  try {
    createSecureContext({ cert, key })
    return { cert, key }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new CliError(
      `${files} are no certificate and its key as PEM (${code ?? message}); name the two that belong together`,
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
