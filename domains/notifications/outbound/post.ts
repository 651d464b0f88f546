import { isIP } from 'node:net'
import { clearTimeout, setImmediate, setTimeout } from '../../../db/timers.ts'
import { type Attempt, type DeliveryRequest, describeNetworkError, type PinnedAddress } from './attempt.ts'
import { type Connection, isReusable } from './connection.ts'
import { type Exchange, presentResponse, type RequestResult, sendRequest } from './http_request.ts'

const REDIRECT_STATUSES = [301, 302, 303, 307, 308]

/** The error of an attempt whose answer is a redirect; null for any other. */
export const redirectError = (status: number | null): string | null =>
  REDIRECT_STATUSES.includes(status ?? 0) ? 'redirects are not followed' : null

const timeoutError = (timeoutMs: number, hasHead: boolean): string =>
  `no ${hasHead ? 'whole ' : ''}answer within ${timeoutMs} ms`

/** Whether an attempt failed because its answer was too late. */
export const isTimeoutError = (error: string | null): boolean => /^no (whole )?answer within \d+ ms$/.test(error ?? '')

/**
 * POSTs once over a connection, within the time limit. Resolves when the connection is idle or closed; never rejects.
 * Aborting `controller` with a message ends the attempt.
 */
export async function post(
  connection: Connection,
  request: DeliveryRequest,
  controller: AbortController,
): Promise<Attempt> {
  const exchange: Exchange = { signal: controller.signal, chunks: [], bodyBytes: 0 }
  const startedAt = performance.now()
  const { timeoutMs } = request
  const timer = setTimeout(() => {
    // A response that arrived while the event loop was blocked is read first.
    setImmediate(() => controller.abort(timeoutError(timeoutMs, exchange.head !== undefined)))
  }, timeoutMs)
  let error: string | null
  try {
    error = await sendToFirstReachable(connection, request, exchange)
  } catch (thrown) {
    error = describeNetworkError(thrown as Error, false)
  } finally {
    clearTimeout(timer)
  }
  const response = presentResponse(exchange)
  return {
    ...response,
    ms: Math.round(performance.now() - (exchange.firstByteAt ?? startedAt)),
    error: error ?? redirectError(response.http_code),
  }
}

/** Tries the addresses in order until one accepts a connection; null, or why no whole response was read. */
async function sendToFirstReachable(
  connection: Connection,
  request: DeliveryRequest,
  exchange: Exchange,
): Promise<string | null> {
  const { signal } = exchange
  let refusedError: string | undefined
  let result: RequestResult = { error: describeNetworkError(NO_ADDRESS, false) }
  for (const address of connectedFirst(connection, request.addresses)) {
    if (signal.aborted) return signal.reason
    if (isIP(address.address) !== address.family) return describeNetworkError(NO_ADDRESS, false)
    result = await sendRequest(connection, address, request, exchange)
    // Only a reused connection can be stale: the second request opens a new one.
    if (result.isStale && !signal.aborted) result = await sendRequest(connection, address, request, exchange)
    if (!result.isUnreachable) return result.error
    if (result.isRefused) refusedError ??= result.error!
  }
  return refusedError ?? result.error
}

const NO_ADDRESS = Object.assign(new Error(), { code: 'ERR_NO_ADDRESS' })

/** A kept connection is used for any of the addresses. */
const connectedFirst = (connection: Connection, addresses: PinnedAddress[]): PinnedAddress[] =>
  isReusable(connection)
    ? addresses.toSorted((a, b) => Number(b.address === connection.address) - Number(a.address === connection.address))
    : addresses
