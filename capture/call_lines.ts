import type { IncomingHttpHeaders } from 'node:http'
import type { CallLine } from '../control/recording/format.ts'
import { realNow } from '../db/clock.ts'
import { utcMillis } from '../domains/shared/instants.ts'
import { CallPseudonyms } from './call_pseudonyms.ts'
import type { UpstreamAnswer, UpstreamCall } from './upstream.ts'

const REQUEST_HEADERS = ['content-type', 'accept', 'x-sandbox']
const ANSWER_HEADERS = ['content-type', 'allow', 'retry-after']
/** The clock of the upstream counts if it differs from that of this machine by more; `Date` has whole seconds. Ms. */
const MAX_CLOCK_DIFFERENCE_MS = 2000
/** Longer bodies are left out of a recording. */
const MAX_RECORDED_BYTES = 8 * 1024 * 1024

/** The lines of calls, without secrets and personal data. */
export class CallLines {
  readonly #pseudonyms = new CallPseudonyms()
  #n = 0

  /** `token`: that of the proxy, which is found in any text. */
  constructor(token?: string) {
    if (token !== undefined) this.#pseudonyms.token(token)
  }

  lineOf({ method, target, headers, body }: UpstreamCall, answer: UpstreamAnswer, ms: number): CallLine {
    const { status } = answer
    const token = tokenOf(headers, target)
    const user = token === undefined ? undefined : this.#pseudonyms.userOf(token)
    const { authorization } = headers
    // The answer first: the personal data that it shows may be in the call, too.
    const answered = this.#answer(answer, { method, target, status })
    const sent = this.#body(body, headers)
    return {
      ...{ kind: 'call', n: ++this.#n, world: null, at: utcMillis(timeOf(answer.headers)), ms: Math.round(ms), method },
      target: this.#pseudonyms.target(target),
      headers: {
        ...this.#headers(headers, REQUEST_HEADERS),
        ...(authorization !== undefined && { authorization: this.#pseudonyms.authorization(authorization) }),
      },
      ...(sent !== undefined && { body: sent }),
      ...{ status, answer_headers: this.#headers(answer.headers, ANSWER_HEADERS) },
      ...(answered !== undefined && { answer: answered }),
      ...(user !== undefined && { caller: user }),
      ...(answered === undefined && answer.body.length > 0 && { compare: 'status' as const, why: NOT_STORED }),
      ...(sent === undefined &&
        body.length > 0 && { compare: 'not' as const, incomplete: true as const, why: NOT_SENT }),
    }
  }

  #answer({ body }: UpstreamAnswer, call: { method: string; target: string; status: number }): string | undefined {
    const text = textOf(body)
    return text === undefined ? undefined : this.#pseudonyms.answer(text, call)
  }

  #body(body: Buffer, headers: IncomingHttpHeaders): string | undefined {
    const text = textOf(body)
    return text === undefined ? undefined : this.#pseudonyms.request(text, String(headers['content-type'] ?? ''))
  }

  #headers(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> {
    const found = names.flatMap((name) => {
      const value = headers[name]
      return value === undefined ? [] : [[name, this.#pseudonyms.text(String(value))] as const]
    })
    return Object.fromEntries(found)
  }
}

const NOT_STORED = 'its answer is not JSON, or too long: its personal data is not known'
const NOT_SENT = 'its body is neither JSON nor a form, or too long: its personal data is not known'

function tokenOf({ authorization = '' }: IncomingHttpHeaders, target: string): string | undefined {
  return (
    /^bearer\s+(\S+)/i.exec(authorization)?.[1] ??
    new URLSearchParams(target.split('?')[1]).get('access_token') ??
    undefined
  )
}

/** Undefined if there is none, or it is not UTF-8. */
function textOf(body: Buffer): string | undefined {
  if (body.length === 0 || body.length > MAX_RECORDED_BYTES) return undefined
  const text = body.toString()
  return Buffer.from(text).equals(body) ? text : undefined
}

/** Ms: by the clock of the upstream. */
function timeOf({ date }: IncomingHttpHeaders): number {
  const now = realNow()
  const theirs = Date.parse(date ?? '')
  return Math.abs(theirs - now) > MAX_CLOCK_DIFFERENCE_MS ? theirs : now
}
