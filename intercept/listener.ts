import { createPrivateKey, KeyObject, X509Certificate as ParsedCertificate } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { createServer } from 'node:tls'
import { X509Certificate } from '@peculiar/x509'
import type { App } from '../app.ts'
import { realNow } from '../db/clock.ts'
import { CliError, EXIT } from '../lib/cli/errors.ts'
import { withoutBrackets } from '../lib/urls.ts'
import { ALGORITHM, type Authority, createAuthority, createContexts, secureOptions } from './authority.ts'
import { isMarketplaceHost } from './hosts.ts'

/** As the banner and `--ready-json` show it. */
export interface InterceptInfo {
  /** Where the server answers for the hosts of the marketplace. */
  address: string
  /** The certificate that clients must trust. */
  certificate: string
}

/**
 * Lets a server answer HTTPS for the hosts of the marketplace at another address, for clients that resolve their names to
 * it. `address`: `host:port`; `folder`: of the authority. Throws a CliError.
 */
export async function listenForMarketplace(
  attach: App['attach'],
  address: string,
  folder: string,
): Promise<InterceptInfo> {
  const [, host = '', port] = /^(.*):(\d+)$/.exec(address) ?? []
  const authority = await openStoredAuthority(folder)
  const options = secureOptions(await createContexts(authority), { isIssued: isMarketplaceHost })
  const listener = createServer(options)
  attach(listener)
  try {
    await once(listener.listen({ host: withoutBrackets(host), port: Number(port), backlog: 4096 }), 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CliError(`--intercept-tls: cannot listen on ${address} (${code})`, EXIT.addressUnavailable)
  }
  return { address: `${host}:${(listener.address() as AddressInfo).port}`, certificate: authority.file }
}

/** An authority in a folder. */
interface StoredAuthority extends Authority {
  /** Path of the certificate, which clients must trust. */
  file: string
}

/** Reads the authority of a folder, or creates both. Throws a CliError. */
export async function openStoredAuthority(folder: string): Promise<StoredAuthority> {
  const [file, keyFile] = [join(resolve(folder), 'ca.pem'), join(resolve(folder), 'ca-key.pem')]
  try {
    // Other containers read the certificate; the key is for this user only.
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    if (existsSync(file) || existsSync(keyFile)) {
      const [certificate, key] = [readFileSync(file, 'utf8'), readFileSync(keyFile, 'utf8')]
      return { ...(await parseAuthority(certificate, key)), file }
    }
    const authority = await createAuthority({ isStored: true })
    const key = KeyObject.from(authority.key).export({ type: 'pkcs8', format: 'pem' })
    writeFileSync(keyFile, key, { mode: 0o600, flag: 'wx' })
    writeFileSync(file, `${authority.certificate.toString('pem')}\n`, { mode: 0o644, flag: 'wx' })
    return { ...authority, file }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new CliError(
      `--intercept-authority: ${folder} has no usable ca.pem and ca-key.pem (${code ?? message}); remove both to create new ones`,
      EXIT.tls,
    )
  }
}

/** Throws an Error unless both belong together. */
async function parseAuthority(pem: string, keyPem: string): Promise<Authority> {
  const certificate = new ParsedCertificate(pem)
  const key = createPrivateKey(keyPem)
  if (!certificate.ca || !certificate.checkPrivateKey(key)) throw new Error('they do not belong together')
  if (Date.parse(certificate.validTo) < realNow()) throw new Error('the certificate has expired')
  return { certificate: new X509Certificate(pem), key: key.toCryptoKey(ALGORITHM, false, ['sign']) }
}
