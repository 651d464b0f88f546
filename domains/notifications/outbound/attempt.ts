/** The result of one attempt to deliver. The receiver accepted it if `http_code` is 200 and `error` is null. */
export interface Attempt {
  /** Status of the response, also when reading its body failed; null: no response. */
  http_code: number | null
  /** Names in lower case, repeated ones joined with commas; at most 16 KiB. */
  headers: Record<string, string>
  /** The first 64 KiB of the body, decoded as UTF-8. */
  body: string
  /** The body was longer than 64 KiB; the rest was not read. */
  truncated: boolean
  /** Real time from the first byte sent (or from the start, if none was) to the end of the response or the failure. */
  ms: number
  /** A short message for people; null: the whole response was read, or 64 KiB of its body. */
  error: string | null
}

/** An IP address, without brackets. */
export interface PinnedAddress {
  address: string
  family: 4 | 6
}

/** One notification to one receiver. */
export interface DeliveryRequest {
  url: URL
  /**
   * Where to connect, whatever the URL's host resolves to by now: the first, or the next one if nothing listens there
   * or it is unreachable.
   */
  addresses: PinnedAddress[]
  /** JSON. */
  body: string
  /** Real ms for connecting, sending and the whole response. */
  timeoutMs: number
}

export const SERVER_STOPPING = 'the server is stopping'

/** An attempt that failed before it was sent; `ms`: its duration. */
export const failedAttempt = (error: string, ms = 0): Attempt => ({
  http_code: null,
  headers: {},
  body: '',
  truncated: false,
  ms: Math.round(ms),
  error,
})

/** Messages of attempts, by error code; for any other error the message contains its code. */
const ERROR_MESSAGES: Record<string, string> = {
  ERR_NO_ADDRESS: 'there is no address to connect to',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  ECONNABORTED: 'connection reset',
  ETIMEDOUT: 'no connection: the receiver does not react',
  EHOSTUNREACH: 'no route to the receiver',
  ENETUNREACH: 'no route to the receiver',
  EADDRNOTAVAIL: 'no route to the receiver',
  EMFILE: 'this machine has no sockets left',
  ENFILE: 'this machine has no sockets left',
  HPE_HEADER_OVERFLOW: 'answer has more than 16 KiB of headers',
  CERT_HAS_EXPIRED: 'certificate has expired',
  CERT_NOT_YET_VALID: 'certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate is not trusted',
  EPROTO: 'TLS failed',
}

/** `hasResponseHead`: the error came after the head of a response. */
export function describeNetworkError(error: NodeJS.ErrnoException, hasResponseHead: boolean): string {
  const code = error.code ?? error.name
  // Node's own "socket hang up" has the code of a reset, but no system call.
  if (code === 'ECONNRESET' && !error.syscall) return 'closed without an answer'
  if (code.startsWith('HPE_'))
    return ERROR_MESSAGES[code] ?? (hasResponseHead ? 'body of the answer is no HTTP' : 'answer is no HTTP')
  if (code.startsWith('ERR_SSL_')) return 'TLS failed'
  return ERROR_MESSAGES[code] ?? `cannot send: ${code}`
}
