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
