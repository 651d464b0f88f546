import type { World } from '../../db/world.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { causeOf } from '../../http/journal/call_cause.ts'
import type { Entry } from '../../http/journal/journal_entry.ts'
import type { Difference } from '../../http/stubs/expected_values.ts'
import { matchesExpected, memberOfCall, partOfPath } from './expectations.ts'
import { latestEvents } from './queries.ts'
import { type After, describeCall } from './verify_schemas.ts'

/** A call or an event after which others must come. */
interface Predecessor {
  /** World time, ms. */
  at: number
  /** What ties calls to it, as text; null: any call may follow. */
  value: string | null
  isBefore(entry: Entry): boolean
}

/** Events that are considered; the causes of more are not known. */
const MAX_EVENTS = 2000

/** Compares values of members as texts, because a path has no numbers. */
export const textOf = (value: unknown): string | null =>
  value === undefined || value === null ? null : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** What must come before calls: `after` of an expectation, read once. */
export class Predecessors {
  readonly #after: After
  readonly #within: number
  /** In the order of time, by the value that ties calls to them. */
  readonly #byValue: Map<string | null, Predecessor[]>

  constructor(after: After, within: number, found: Predecessor[]) {
    this.#after = after
    this.#within = within
    this.#byValue = Map.groupBy(found, ({ value }) => value)
  }

  /** The values that need calls of their own. */
  values(): (string | null)[] {
    return this.#after.per === undefined ? [] : [...this.#byValue.keys()]
  }

  /** Why a call does not count; empty if it does. */
  differences(entry: Entry, value: string | null): Difference[] {
    const candidates = this.#byValue.get(this.#after.per === undefined ? null : value)
    const latest = candidates?.findLast((one) => one.isBefore(entry))
    if (!latest) return [{ what: 'after', expected: describeAfter(this.#after) }]
    const ms = entry.world_time - latest.at
    return ms <= this.#within ? [] : [{ what: 'within', expected: this.#within, actual: ms }]
  }
}

/** `GET /questions/* with status 2xx`, `an event of questions`. */
export const describeAfter = ({ topic, path = '', ...call }: After): string =>
  topic === undefined ? describeCall({ path, ...call }) : `an event of ${topic}`

/** Reads `after` of an expectation. Throws 400 if it names neither a path nor a topic, or both. */
export async function findPredecessors(
  world: World,
  entries: readonly Entry[],
  after: After,
  within: number,
): Promise<Predecessors> {
  const { topic, path, per, ...rest } = after
  if ((topic === undefined) === (path === undefined)) throw badRequest('after: must have path or topic')
  if (topic === undefined) return new Predecessors(after, within, callsOf(entries, { ...rest, path: path! }, per))
  if (Object.keys(rest).length > 0) throw badRequest(`after.${Object.keys(rest)[0]}: cannot be combined with topic`)
  if (per !== undefined && !per.startsWith('path')) throw badRequest('after.per: of an event must be path or path.N')
  return new Predecessors(after, within, await eventsOf(world, topic, per))
}

const callsOf = (entries: readonly Entry[], expected: { path: string }, per: string | undefined): Predecessor[] =>
  entries
    .filter((entry) => matchesExpected(expected, entry))
    .map((entry) => ({
      at: entry.world_time,
      value: per === undefined ? null : textOf(memberOfCall(entry, per)),
      isBefore: ({ id }) => entry.id < id,
    }))

async function eventsOf(world: World, topic: string, per: string | undefined): Promise<Predecessor[]> {
  const rows = await latestEvents(world.read).all({ topic, limit: MAX_EVENTS })
  return rows.reverse().map(({ resource, at, ...row }) => {
    const cause = causeOf(world, row)
    return {
      at,
      value: per === undefined ? null : textOf(partOfPath(resource, per)),
      // A call does not come after what it has caused itself, though the clock may be frozen.
      isBefore: (entry) =>
        cause?.kind === 'request' ? cause.id !== null && cause.id < entry.id : at <= entry.world_time,
    }
  })
}
