import type { Switches } from '../db/world.ts'
import type { RawCall } from '../replay/send.ts'
import { type Answer, type RecordedCall, readAnswer } from './calls.ts'
import { compareAnswers } from './compare_answers.ts'
import type { Difference } from './compare_values.ts'
import type { Fact } from './facts.ts'
import type { Target } from './target.ts'

export interface Played {
  differences: Difference[]
  /** Why the answers cannot be compared. */
  reason?: string
}

export interface PlayedCall extends Played {
  call: RecordedCall
}

const SCROLL_ID = /^\*{3}token-\d+\*{3}$/
const MAY_BE_UNKNOWN = 'what the call changes is not known as it was before'

/** What a write has done; its state before decides. */
const outcomeOf = ({ status, json }: Answer): string =>
  status < 400 ? 'done' : String((json as Fact | undefined)?.error)

/** Sends calls to the worlds of a recording, and compares the answers. */
export class Player {
  readonly #target: Target
  /** The scroll ids of this server by the names of the recorded ones. */
  readonly #scrollIds = new Map<string, string>()

  constructor(target: Target) {
    this.#target = target
  }

  async play(call: RecordedCall, switches: Switches): Promise<Played> {
    const scrollId = call.query.get('scroll_id')
    if (scrollId && SCROLL_ID.test(scrollId) && !this.#scrollIds.has(scrollId))
      return { differences: [], reason: 'the page before it is not known' }
    const { status, headers, body } = await this.#target.send(call, this.#toRaw(call), switches)
    if (status === null) return { differences: [], reason: 'this server gave no answer' }
    const answered = readAnswer(status, body.toString(), headers)
    this.#pairScrollIds(call.answer.json, answered.json)
    const differences = compareAnswers(call, answered, await this.#target.worldOf(call))
    const isUnsure = call.isWrite && outcomeOf(call.answer) !== outcomeOf(answered)
    return { differences, ...(isUnsure && { reason: MAY_BE_UNKNOWN }) }
  }

  #toRaw({ line: { method, target, headers, body } }: RecordedCall): RawCall {
    return {
      ...{ method, headers, body: body === undefined ? undefined : Buffer.from(body) },
      target: target.replace(/(?<=[?&]scroll_id=)[^&]+/, (sent) => {
        const known = this.#scrollIds.get(decodeURIComponent(sent))
        return known === undefined ? sent : encodeURIComponent(known)
      }),
    }
  }

  #pairScrollIds(recorded: unknown, answered: unknown): void {
    const [one, other] = [recorded, answered].map((json) => (json as Fact | undefined)?.scroll_id)
    if (typeof one === 'string' && typeof other === 'string') this.#scrollIds.set(one, other)
  }
}
