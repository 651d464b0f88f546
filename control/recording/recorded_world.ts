import type { FastifyRequest } from 'fastify'
import { replayOf } from './format.ts'
import type { Tap } from './tap.ts'

/** What a replay of the recording can restore of a world, besides its present state. */
export class RecordedWorld {
  /** The starting point of the world is a state of the recording. */
  #hasStart: boolean
  readonly #snapshots = new Set<string>()

  constructor(hasStart: boolean) {
    this.#hasStart = hasStart
  }

  /** What the recording needs of a control call that has succeeded: the call, the state after it, or nothing. */
  actionOf(path: string, { method, params, body }: FastifyRequest, sent: Tap): 'send' | 'state' | 'skip' {
    const { name = '' } = { ...(params as object), ...(body as object) } as { name?: string }
    switch (`${method} ${path}`) {
      case 'POST /snapshots':
        this.#snapshots.add(name)
        return 'send'
      case 'DELETE /snapshots/:name':
        return this.#snapshots.delete(name) ? 'send' : 'skip'
      case 'POST /snapshots/:name/restore':
        return this.#snapshots.has(name) ? 'send' : this.#restart(false)
      case 'POST /reset':
        return this.#hasStart ? 'send' : this.#restart(true)
    }
    const action = replayOf(method, path)
    if (action === 'state') return this.#restart(path === '/world')
    return action === 'send' && sent.isTooLong ? this.#restart(false) : action
  }

  /** A replay loads the state, and later resets to it: right only if that is what the call has made the start. */
  #restart(hasStart: boolean): 'state' {
    this.#hasStart = hasStart
    return 'state'
  }
}
