import { createPrivateKey, KeyObject, X509Certificate as ParsedCertificate } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { X509Certificate } from '@peculiar/x509'
import { realNow } from '../db/clock.ts'
import { CliError, EXIT } from '../lib/cli/errors.ts'
import { ALGORITHM, type Authority, createAuthority } from './authority.ts'

/** An authority in a folder. */
export interface StoredAuthority extends Authority {
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
