import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { realNow } from '../db/clock.ts'
import { badUsage, EXIT, Failure } from './failure.ts'

export interface TlsFlags {
  tls?: 'self-signed'
  tlsCert?: string
  tlsKey?: string
}

export interface Tls {
  key: string
  cert: string
  /** The file that clients are given to trust the server; undefined where somebody else vouches for it. */
  certificate: string | undefined
}

/** A certificate that ends sooner is made anew. */
const LEAST_LEFT = 30 * 24 * 3_600_000
const EVERY_ADDRESS = new Set(['0.0.0.0', '::'])

/** Throws a Failure where the flags do not fit together: before anything is made. */
export function checkTls({ tls, tlsCert, tlsKey }: TlsFlags): void {
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw badUsage('--tls-cert and --tls-key belong together; name both files')
  if (tls && tlsCert !== undefined)
    throw badUsage('--tls self-signed makes a certificate; leave it out with --tls-cert')
}

/** What the server shows to https clients, if it is to; `folder` is where it keeps its own. Throws a Failure. */
export async function readTls(flags: TlsFlags, host: string, folder: string, kept: boolean): Promise<Tls | undefined> {
  const { tls, tlsCert, tlsKey } = flags
  if (tlsCert !== undefined && tlsKey !== undefined)
    return { ...usable(read(tlsCert), read(tlsKey), `${tlsCert} and ${tlsKey}`), certificate: undefined }
  if (!tls) return undefined
  const names = [...new Set(['localhost', hostname(), ...(isIP(host) ? [] : [host])])]
  const addresses = [...new Set(['127.0.0.1', '::1', ...(isIP(host) && !EVERY_ADDRESS.has(host) ? [host] : [])])]
  const certificate = join(folder, 'tls-cert.pem')
  const keyFile = join(folder, 'tls-key.pem')
  if (kept && existsSync(certificate) && existsSync(keyFile)) {
    const known = usable(read(certificate), read(keyFile), `${certificate} and ${keyFile}`)
    if (stillFits(known.cert, names, addresses)) return { ...known, certificate }
  }
  const { selfSigned } = await import('./certificate.ts')
  const made = await selfSigned(names, addresses)
  // A key for a while is in memory alone.
  if (kept) writeFileSync(keyFile, made.key, { mode: 0o600 })
  writeFileSync(certificate, made.cert)
  return { ...made, certificate }
}

function read(file: string): string {
  try {
    return readFileSync(resolve(file), 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Failure(`${file} cannot be read (${code}); name a PEM file with --tls-cert and --tls-key`, EXIT.tls)
  }
}

function usable(cert: string, key: string, files: string): { cert: string; key: string } {
  try {
    createSecureContext({ cert, key })
    return { cert, key }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Failure(
      `${files} are no certificate and its key as PEM (${code ?? message}); name the two that belong together`,
      EXIT.tls,
    )
  }
}

function stillFits(pem: string, names: string[], addresses: string[]): boolean {
  const cert = new X509Certificate(pem)
  return (
    Date.parse(cert.validTo) - realNow() > LEAST_LEFT &&
    names.every((name) => cert.checkHost(name)) &&
    addresses.every((address) => cert.checkIP(address))
  )
}
