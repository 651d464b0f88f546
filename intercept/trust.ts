import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'

/** Where systems have the certificates that they trust: Debian, Fedora, SUSE, Alpine and macOS. */
const SYSTEM_FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]
/** Variables by which a program may have been given other certificates, which it still needs. */
const VARIABLES = ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS']

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** The certificates that programs trust now, as PEM: those of the system, else those of Node, and those of variables. */
export function readTrustedRoots(environment: NodeJS.ProcessEnv): string[] {
  const system = SYSTEM_FILES.map(readCertificates).find(({ length }) => length > 0) ?? rootCertificates
  const added = VARIABLES.flatMap((name) => (environment[name] ? readCertificates(environment[name]) : []))
  return [...new Set([...system, ...added])]
}

function readCertificates(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').match(CERTIFICATE) ?? []
  } catch {
    return []
  }
}

const [MAGIC, VERSION, TRUSTED_CERTIFICATE] = [0xfeedfeed, 2, 2]
/** Known to everyone: the store has no secrets. */
const PASSWORD = 'changeit'

/**
 * A trust store for Java (JKS). Java needs no password to read its certificates; `keytool` takes `changeit`. In a PKCS #12
 * store Java trusts only certificates with an attribute of its own, which is not easier to write.
 */
export function toJavaTrustStore(certificates: string[]): Buffer {
  const entries = certificates.map((pem, n) => {
    const { raw } = new X509Certificate(pem)
    return Buffer.concat([
      uint32(TRUSTED_CERTIFICATE),
      utf(`mercadito-${n}`),
      // The time of its creation, in ms.
      Buffer.alloc(8),
      utf('X.509'),
      uint32(raw.length),
      raw,
    ])
  })
  const content = Buffer.concat([uint32(MAGIC), uint32(VERSION), uint32(entries.length), ...entries])
  const password = Buffer.from(PASSWORD, 'utf16le').swap16()
  const digest = createHash('sha1').update(password).update('Mighty Aphrodite').update(content).digest()
  return Buffer.concat([content, digest])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function utf(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes])
}
