const MAX_HOSTS = 1000

/** Why the proxy did not forward calls to a host; `certificate`: the program broke off TLS before its first call. */
export type Reason = 'host' | 'http2' | 'websocket' | 'certificate'

export interface Refusal {
  host: string
  reason: Reason
  calls: number
}

/** What the proxy refused, for the end of the run. */
interface Refusals {
  add(host: string, reason: Reason): void
  /** Most calls first. */
  all(): Refusal[]
}

export function createRefusals(): Refusals {
  const refusals = new Map<string, Refusal>()
  return {
    add(host, reason) {
      const key = `${reason} ${host}`
      const refusal = refusals.get(key) ?? { host, reason, calls: 0 }
      if (refusal.calls++ === 0 && refusals.size < MAX_HOSTS) refusals.set(key, refusal)
    },
    all: () => [...refusals.values()].sort((a, b) => b.calls - a.calls),
  }
}

/** The answer to the program. */
export const REFUSAL_MESSAGES: Record<Exclude<Reason, 'certificate'>, (host: string) => string> = {
  host: (host) => `mercadito exec --intercept refuses calls to ${host}; allow them with --allow ${host}`,
  http2: () => 'mercadito exec --intercept speaks HTTP/1.1 only, not HTTP/2',
  websocket: () => 'mercadito exec --intercept speaks HTTP/1.1 only, not WebSocket',
}

/** Where runtimes look for certificates that they trust. `exec` sets all of these, for programs that read them. */
const STORES =
  'SSL_CERT_FILE (OpenSSL, Go), NODE_EXTRA_CA_CERTS (Node), REQUESTS_CA_BUNDLE (Python), CURL_CA_BUNDLE (curl), openssl.cafile (PHP), javax.net.ssl.trustStore (Java)'

/** What is printed after the number of calls. */
const SUMMARIES: Record<Reason, (host: string) => string> = {
  host: (host) => `to ${host} refused; allow them with --allow ${host}`,
  http2: (host) => `to ${host} refused: they offered only HTTP/2, and the sandbox speaks HTTP/1.1`,
  websocket: (host) => `to ${host} refused: they asked for a WebSocket, which the sandbox does not have`,
  certificate: (host) =>
    `to ${host} failed: the program does not trust the certificate of this run. It needs the file that exec names in ${STORES}; see docs/guides/intercept.md`,
}

const MAX_LINES = 20

/** What happened, for standard error: calls that the sandbox got, and a line for each refused host. */
export function formatSummary(calls: number, refusals: Refusal[]): string {
  const lines = refusals
    .slice(0, MAX_LINES)
    .map(({ host, reason, calls }) => `${count(calls)} ${SUMMARIES[reason](host)}`)
  if (calls > 0) lines.unshift(`${count(calls)} to the marketplace reached the sandbox`)
  if (refusals.length > MAX_LINES) lines.push(`calls to ${refusals.length - MAX_LINES} more hosts refused`)
  return lines.map((line) => `mercadito: ${line}\n`).join('')
}

const count = (calls: number): string => (calls === 1 ? '1 call' : `${calls} calls`)
