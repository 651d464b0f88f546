import 'reflect-metadata'
import { KeyObject, type webcrypto } from 'node:crypto'
import { createSecureContext, type SecureContext, type TlsOptions } from 'node:tls'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { LRUCache } from 'lru-cache'
import { realNow } from '../db/clock.ts'
import { MARKETPLACE_DOMAINS, parseTarget } from './hosts.ts'

const DAY_MS = 24 * 3_600_000
/** Some systems reject certificates of servers that are valid for longer. */
const VALID_DAYS = 397
/** Of an authority on disk, which clients keep. */
const STORED_VALID_DAYS = 3650
const MAX_CONTEXTS = 100

export const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNING_ALGORITHM = { name: 'ECDSA', hash: 'SHA-256' } as const

/** A certificate authority. */
export interface Authority {
  certificate: X509Certificate
  key: webcrypto.CryptoKey
}

/** The TLS context for a host, with a certificate that the authority issues on first use. */
type ContextOf = (host: string) => Promise<SecureContext>

/** The key of an authority for one run cannot be exported; one that is stored may only issue servers of the marketplace. */
export async function createAuthority({ isStored }: { isStored: boolean }): Promise<Authority> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, isStored, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=mercadito intercept',
    ...validFor(isStored ? STORED_VALID_DAYS : VALID_DAYS),
    keys,
    signingAlgorithm: SIGNING_ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      ...(isStored
        ? [new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]), nameConstraints(MARKETPLACE_DOMAINS)]
        : []),
    ],
  })
  return { certificate, key: keys.privateKey }
}

/** Certificates of all hosts have one key, which never leaves the memory. */
export async function createContexts({ certificate, key }: Authority): Promise<ContextOf> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const pem = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })
  const issue = async (host: string) => {
    const issued = await X509CertificateGenerator.create({
      subject: 'CN=mercadito',
      issuer: certificate.subjectName,
      ...validFor(VALID_DAYS),
      publicKey: keys.publicKey,
      signingKey: key,
      signingAlgorithm: SIGNING_ALGORITHM,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
        new SubjectAlternativeNameExtension([{ type: 'dns', value: host }]),
        await AuthorityKeyIdentifierExtension.create(certificate.publicKey),
      ],
    })
    return createSecureContext({ key: pem, cert: issued.toString('pem') })
  }
  // A day, because the server may run for longer than a certificate is valid.
  const contexts = new LRUCache<string, Promise<SecureContext>>({ max: MAX_CONTEXTS, ttl: DAY_MS })
  return (host) => {
    const context = contexts.get(host) ?? issue(host)
    contexts.set(host, context)
    return context
  }
}

const validFor = (days: number) => ({
  notBefore: new Date(realNow() - DAY_MS),
  notAfter: new Date(realNow() + days * DAY_MS),
})

const NAME_CONSTRAINTS_OID = '2.5.29.30'
/** Tags of DER, those of GeneralName among them. */
const [SEQUENCE, EMAIL, DNS_NAME, URI, IP_ADDRESS, PERMITTED, EXCLUDED] = [0x30, 0x81, 0x82, 0x86, 0x87, 0xa0, 0xa1]
/** Addresses with their masks. */
const ALL_ADDRESSES = [Buffer.alloc(8), Buffer.alloc(32)]
/** A domain that nobody can have (RFC 2606). */
const NO_DOMAIN = Buffer.from('.invalid')

/**
 * RFC 5280, 4.2.1.10: the authority may issue names below `domains`, and no addresses, e-mail addresses or URIs. Clients
 * read an empty subtree in different ways, or not at all; so the only subtree that is permitted is excluded, too.
 */
function nameConstraints(domains: string[]): Extension {
  const subtrees = (tag: number, ...names: Buffer[]) => names.map((name) => der(SEQUENCE, der(tag, name)))
  const none = [...subtrees(EMAIL, NO_DOMAIN), ...subtrees(URI, NO_DOMAIN)]
  const permitted = [...subtrees(DNS_NAME, ...domains.map((domain) => Buffer.from(domain))), ...none]
  const excluded = [...subtrees(IP_ADDRESS, ...ALL_ADDRESSES), ...none]
  const content = [der(PERMITTED, Buffer.concat(permitted)), der(EXCLUDED, Buffer.concat(excluded))]
  return new Extension(NAME_CONSTRAINTS_OID, true, der(SEQUENCE, Buffer.concat(content)))
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const lengthBytes = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content])
}

const HANDSHAKE_TIMEOUT_MS = 10_000

interface SecureOptions {
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
