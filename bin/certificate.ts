import 'reflect-metadata'
import { KeyObject } from 'node:crypto'
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { realNow } from '../db/clock.ts'

const DAY_MS = 24 * 3_600_000
/** Some systems reject certificates that are valid for longer. */
const VALID_DAYS = 397

/** A key and a self-signed certificate for these names and addresses, both PEM. */
export async function createSelfSigned(names: string[], addresses: string[]): Promise<{ key: string; cert: string }> {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const cert = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=mercadito',
    notBefore: new Date(realNow() - DAY_MS),
    notAfter: new Date(realNow() + VALID_DAYS * DAY_MS),
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([
        ...names.map((value) => ({ type: 'dns' as const, value })),
        ...addresses.map((value) => ({ type: 'ip' as const, value })),
      ]),
    ],
  })
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })
  return { key: String(key), cert: `${cert.toString('pem')}\n` }
}
