import { delay } from '../../../db/timers.ts'
import { type Attempt, failedAttempt, SERVER_STOPPING } from '../outbound/attempt.ts'
import { redirectError } from '../outbound/post.ts'
import type { InboxAnswer } from './inboxes.ts'

/**
 * The attempt of a notification that an inbox has received, after the time that its answer takes, at most `timeoutMs`;
 * never rejects. The two numbers alone decide whether the answer is late.
 */
export async function inboxAttempt(
  { status, ms }: InboxAnswer,
  timeoutMs: number,
  stopSignal: AbortSignal,
): Promise<Attempt> {
  const isLate = ms > timeoutMs
  const takenMs = isLate ? timeoutMs : ms
  try {
    if (takenMs > 0) await delay(takenMs, undefined, { signal: stopSignal })
  } catch {
    return failedAttempt(SERVER_STOPPING)
  }
  if (isLate) return failedAttempt(`no answer within ${timeoutMs} ms`, takenMs)
  return { http_code: status, headers: {}, body: '', truncated: false, ms: takenMs, error: redirectError(status) }
}
