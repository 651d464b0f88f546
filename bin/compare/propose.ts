import type { Switches } from '../../db/world.ts'
import { SWITCHES } from '../../domains/assumptions.ts'
import type { RecordedCall } from './calls.ts'
import type { Played, PlayedCall, Player } from './player.ts'

/** A value of a switch with which answers agree that otherwise differ. */
export interface Proposal {
  name: string
  value: string
  /** Numbers of the calls that then agree. */
  calls: number[]
}

/** Calls of one difference with which a switch is tried first. */
const MAX_SAMPLES = 3
const MAX_ALL_SAMPLES = 60

/** Whether an answer does not agree, known reasons aside. */
export const differs = ({ differences }: Played): boolean => differences.length > 0

/**
 * Finds switches by trying: each value is set in the worlds of calls that differ. The value with which most of them agree
 * is proposed if no other call then differs; then the rest is tried in the same way.
 */
export async function proposeSwitches(
  player: Player,
  all: readonly PlayedCall[],
  given: Switches,
): Promise<Proposal[]> {
  const proposals: Proposal[] = []
  const switches = { ...given }
  let open = all.filter(differs)
  const agreeing = all.filter((one) => !differs(one) && one.reason === undefined)
  const agreesWith = async (call: RecordedCall, more: Switches) =>
    !differs(await player.play(call, { ...switches, ...more }))
  const rejected = new Set<string>()
  while (open.length > 0) {
    let best: { name: string; value: string; agreed: number } | undefined
    const samples = samplesOf(open)
    for (const [name, value] of candidates(switches, rejected)) {
      let agreed = 0
      for (const { call } of samples) if (await agreesWith(call, { [name]: value })) agreed++
      if (agreed > (best?.agreed ?? 0)) best = { name, value, agreed }
    }
    if (!best) break
    const { name, value } = best
    const more = { [name]: value }
    const settled = await filterAsync(open, ({ call }) => agreesWith(call, more))
    const stillAgreeing = await filterAsync(agreeing, ({ call }) => agreesWith(call, more))
    if (stillAgreeing.length < agreeing.length) rejected.add(`${name}=${value}`)
    else {
      switches[name] = value
      proposals.push({ name, value, calls: settled.map(({ call }) => call.line.n) })
      open = open.filter((one) => !settled.includes(one))
    }
  }
  return proposals
}

/** Values that differ from the present ones. */
function candidates(switches: Switches, rejected: ReadonlySet<string>): [string, string][] {
  return Object.entries(SWITCHES).flatMap(([name, values]) =>
    values
      .filter((value) => value !== (switches[name] ?? values[0]) && !rejected.has(`${name}=${value}`))
      .map((value): [string, string] => [name, value]),
  )
}

/** Some calls of each difference. */
function samplesOf(all: readonly PlayedCall[]): PlayedCall[] {
  const groups = Map.groupBy(all, ({ call, differences }) =>
    [
      call.route.template,
      ...differences.map(({ kind, place, recorded }) => `${kind} ${place} ${kind === 'status' ? recorded : ''}`),
    ].join('|'),
  )
  return [...groups.values()].flatMap((group) => group.slice(0, MAX_SAMPLES)).slice(0, MAX_ALL_SAMPLES)
}

async function filterAsync<T>(all: readonly T[], test: (one: T) => Promise<boolean>): Promise<T[]> {
  const kept: T[] = []
  for (const one of all) if (await test(one)) kept.push(one)
  return kept
}
