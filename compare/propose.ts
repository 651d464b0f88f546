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
const keysOf = ({ differences }: PlayedCall): Set<string> => new Set(differences.map(keyOf))

/** Finds switches by trying, one after the other, until no value explains a difference that is left. */
export async function proposeSwitches(
  player: Player,
  played: readonly PlayedCall[],
  given: Switches,
): Promise<{ proposals: Proposal[]; explained: ExplainedCall[] }> {
  const proposals: Proposal[] = []
  const explained = played.map((one): ExplainedCall => ({ ...one, proposals: new Map() }))
  let found = await findSwitch(player, played, given)
  for (let rest = played; found; found = await findSwitch(player, rest, found.switches)) {
    const { name, value, results } = found
    const improved = results.filter((result, n) => isBetter(rest[n]!, result))
    proposals.push({ name, value, calls: improved.map(({ call }) => call.line.n) })
    for (const [n, result] of results.entries()) explain(explained[n]!, rest[n]!, result, `${name}=${value}`)
    rest = results
  }
  return { proposals, explained }
}

/** The value that improves most samples, of those with which no call becomes worse, and what all calls then answer. */
async function findSwitch(player: Player, rest: readonly PlayedCall[], given: Switches) {
  const candidates: { name: string; value: string; switches: Switches; improved: number }[] = []
  const samples = samplesOf(rest)
  for (const [name, values] of Object.entries(SWITCHES))
    for (const value of values.filter((one) => one !== (given[name] ?? values[0]))) {
      const switches = { ...given, [name]: value }
      let improved = 0
      for (const one of samples) if (isBetter(one, await player.play(one.call, switches))) improved++
      if (improved > 0) candidates.push({ name, value, switches, improved })
    }
  for (const candidate of candidates.sort((a, b) => b.improved - a.improved)) {
    const results: PlayedCall[] = []
    for (const { call } of rest) results.push(await player.play(call, candidate.switches))
    if (!results.some((result, n) => isWorse(rest[n]!, result))) return { ...candidate, results }
  }
  return undefined
}

const hasOtherStatus = ({ differences }: PlayedCall): boolean => differences.some(({ kind }) => kind === 'status')

/** With the same status, bodies are compared: what they differ in has been there before. */
const isBetter = (before: PlayedCall, after: PlayedCall): boolean =>
  hasOtherStatus(before)
    ? !hasOtherStatus(after)
    : after.differences.length < before.differences.length && !isWorse(before, after)

const isWorse = (before: PlayedCall, after: PlayedCall): boolean =>
  !hasOtherStatus(before) && appeared(before, after).length > 0

/** Differences that were not there before. */
function appeared(before: PlayedCall, after: PlayedCall): Difference[] {
  const known = keysOf(before)
  return after.differences.filter((one) => !known.has(keyOf(one)))
}

function explain(explained: ExplainedCall, before: PlayedCall, after: PlayedCall, proposal: string): void {
  for (const vanished of appeared(after, before)) explained.proposals.set(keyOf(vanished), proposal)
  explained.differences = [...explained.differences, ...appeared(explained, after)]
}

/** Some calls of each difference. */
function samplesOf(all: readonly PlayedCall[]): PlayedCall[] {
  const open = all.filter(({ differences }) => differences.length > 0)
  const groups = Map.groupBy(open, (one) => [one.call.template, ...keysOf(one)].join('|'))
  return [...groups.values()].flatMap((group) => group.slice(0, MAX_SAMPLES)).slice(0, MAX_ALL_SAMPLES)
}
