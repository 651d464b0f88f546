import type { Switches } from '../db/world.ts'
import { SWITCHES } from '../domains/assumptions.ts'
import type { Difference } from './compare_values.ts'
import type { PlayedCall, Player } from './player.ts'

/** A value of a switch with which differences vanish. */
export interface Proposal {
  name: string
  value: string
  /** Numbers of the calls of these differences. */
  calls: number[]
}

export interface ExplainedCall extends PlayedCall {
  /** `name=value` of the proposals with which differences vanish, by `keyOf`. */
  proposals: Map<string, string>
}

/** Calls of one difference with which a switch is tried first. */
const MAX_SAMPLES = 3
const MAX_ALL_SAMPLES = 60

export const keyOf = ({ kind, place, recorded }: Difference): string =>
  `${kind} ${place} ${kind === 'status' ? recorded : ''}`

/**
 * Finds switches by trying: each value is set in the worlds of calls that differ. The value that improves most of them
 * is proposed if no call becomes worse; then the rest is tried in the same way.
 */
export async function proposeSwitches(
  player: Player,
  played: readonly PlayedCall[],
  given: Switches,
): Promise<{ proposals: Proposal[]; explained: ExplainedCall[] }> {
  const proposals: Proposal[] = []
  const explained = played.map((one): ExplainedCall => ({ ...one, proposals: new Map() }))
  /** What still differs with the proposals so far. */
  let rest: PlayedCall[] = [...played]
  const switches = { ...given }
  const rejected = new Set<string>()
  for (;;) {
    const best = await findBest(player, samplesOf(rest), switches, rejected)
    if (!best) return { proposals, explained }
    const { name, value } = best
    const results: PlayedCall[] = []
    for (const one of rest) results.push(await replay(player, one, { ...switches, [name]: value }))
    if (results.some((result, n) => isWorse(rest[n]!, result))) {
      rejected.add(`${name}=${value}`)
      continue
    }
    switches[name] = value
    const improved = results.flatMap((result, n) => (isBetter(rest[n]!, result) ? [result.call.line.n] : []))
    proposals.push({ name, value, calls: improved })
    for (const [n, result] of results.entries()) explain(explained[n]!, rest[n]!, result, `${name}=${value}`)
    rest = results
  }
}

async function findBest(player: Player, samples: PlayedCall[], switches: Switches, rejected: ReadonlySet<string>) {
  let best: { name: string; value: string; improved: number } | undefined
  for (const [name, values] of Object.entries(SWITCHES))
    for (const value of values) {
      if (value === (switches[name] ?? values[0]) || rejected.has(`${name}=${value}`)) continue
      let improved = 0
      for (const one of samples)
        if (isBetter(one, await replay(player, one, { ...switches, [name]: value }))) improved++
      if (improved > (best?.improved ?? 0)) best = { name, value, improved }
    }
  return best
}

const replay = async (player: Player, { call }: PlayedCall, switches: Switches): Promise<PlayedCall> => ({
  call,
  ...(await player.play(call, switches)),
})

const keysOf = ({ differences }: PlayedCall): Set<string> => new Set(differences.map(keyOf))
const hasOtherStatus = ({ differences }: PlayedCall): boolean => differences.some(({ kind }) => kind === 'status')

/** With the same status, bodies are compared: what they differ in has been there before. */
const isBetter = (before: PlayedCall, after: PlayedCall): boolean =>
  hasOtherStatus(before)
    ? !hasOtherStatus(after)
    : after.differences.length < before.differences.length && !isWorse(before, after)

function isWorse(before: PlayedCall, after: PlayedCall): boolean {
  if (hasOtherStatus(before)) return false
  const known = keysOf(before)
  return [...keysOf(after)].some((key) => !known.has(key))
}

function explain(explained: ExplainedCall, before: PlayedCall, after: PlayedCall, proposal: string): void {
  const remaining = keysOf(after)
  for (const key of keysOf(before)) if (!remaining.has(key)) explained.proposals.set(key, proposal)
  const known = keysOf(explained)
  const appeared = after.differences.filter((difference) => !known.has(keyOf(difference)))
  explained.differences = [...explained.differences, ...appeared]
}

/** Some calls of each difference. */
function samplesOf(all: readonly PlayedCall[]): PlayedCall[] {
  const open = all.filter(({ differences }) => differences.length > 0)
  const groups = Map.groupBy(open, (one) => [one.call.route.template, ...keysOf(one)].join('|'))
  return [...groups.values()].flatMap((group) => group.slice(0, MAX_SAMPLES)).slice(0, MAX_ALL_SAMPLES)
}
