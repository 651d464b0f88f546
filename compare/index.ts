import { ruleOf } from '../control/explain/explanation.ts'
import type { CallLine } from '../control/recording/format.ts'
import type { Switches } from '../db/world.ts'
import { printable } from '../domains/shared/commands.ts'
import type { Paths } from '../http/paths.ts'
import { usageError } from '../lib/cli/errors.ts'
import { checkRecording } from '../replay/check.ts'
import { readLines } from '../replay/read.ts'
import { type RecordedCall, readCall } from './calls.ts'
import type { Difference } from './compare_values.ts'
import { learn } from './learn.ts'
import { isShown } from './learn_sales.ts'
import { openServer, type PlayedCall, Player } from './player.ts'
import { type ExplainedCall, keyOf, type Proposal, proposeSwitches } from './propose.ts'
import { ruleOfDifference } from './rules.ts'

/** The same difference of answers of one route. */
export interface ReportedDifference extends Difference {
  /** `GET /items/{item_id}`. */
  route: string
  /** Id of the rule of docs/spec that it is about. */
  rule: string
  /** Names of the assumptions of that rule. */
  assumptions: string[]
  /** With `--assume` of this, `name=value`, it vanishes; null: of nothing. */
  proposal: string | null
  calls: number
  /** The first of them. */
  examples: { n: number; method: string; target: string }[]
}

export interface Report {
  upstream: string | null
  created_at: string
  calls: number
  compared: number
  /** Calls that were not compared, by the reason. */
  not_compared: Record<string, number>
  /** Calls of paths that the emulated API does not have. */
  not_emulated: { method: string; path: string; calls: number }[]
  /** Calls whose answers differ. */
  different: number
  differences: ReportedDifference[]
  proposals: Proposal[]
  ended_because: string | null
}

const MAX_EXAMPLES = 3
/** The upstream was not able to answer, which says nothing about its API. */
const UNAVAILABLE = new Set([429, 502, 503, 504])

interface CompareOptions {
  switches: Switches
  onProgress?: (calls: number) => void
}

/** Compares the answers of a recording of another server with those of this program. Throws a CliError. */
export async function compare(file: string, { switches, onProgress = () => {} }: CompareOptions): Promise<Report> {
  const { header, calls, endedBecause } = await checkRecording(file)
  if (header.source !== 'upstream')
    throw usageError(
      `${printable(file)}: is a recording of mercadito itself, with states: send its calls again with \`mercadito requests replay\``,
    )
  const server = await openServer()
  try {
    await server.paths.complete()
    const { emulated, report } = await readCalls(file, server.paths)
    const learned = learn(emulated)
    const player = new Player(server, learned)
    const played: PlayedCall[] = []
    for (const [n, call] of emulated.entries()) {
      onProgress(n + 1)
      if (!isShown(learned.facts, call)) count(report.not_compared, 'no answer shows the sale that it is about')
      else played.push(await player.play(call, switches))
    }
    const { proposals, explained } = await proposeSwitches(player, played, switches)
    const isUnsure = ({ reason, proposals }: ExplainedCall) => reason !== undefined && proposals.size === 0
    for (const { reason } of explained.filter(isUnsure)) count(report.not_compared, reason!)
    const different = explained.filter((one) => one.differences.length > 0 && !isUnsure(one))
    const notCompared = Object.values(report.not_compared).reduce((sum, n) => sum + n, 0)
    const notEmulated = report.not_emulated.reduce((sum, one) => sum + one.calls, 0)
    return {
      ...{ upstream: header.upstream ?? null, created_at: header.created_at, calls },
      ...{ compared: calls - notCompared - notEmulated, ...report, different: different.length },
      ...{ differences: groupDifferences(different), proposals, ended_because: endedBecause ?? null },
    }
  } finally {
    await server.close()
  }
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}

/** The calls of the emulated API that can be compared, and the others. */
async function readCalls(file: string, paths: Paths) {
  const emulated: RecordedCall[] = []
  const report: Pick<Report, 'not_compared' | 'not_emulated'> = { not_compared: {}, not_emulated: [] }
  for await (const { line } of readLines(file)) {
    if (line.kind !== 'call') continue
    const call = readCall(line, paths)
    const reason = reasonNotToCompare(line) ?? (call && reasonNotKnown(call))
    if (!call) addNotEmulated(report.not_emulated, line)
    else if (call.route.config?.typed) count(report.not_compared, 'mercadito answers without state')
    else if (reason !== undefined) count(report.not_compared, reason)
    else emulated.push(call)
  }
  return { emulated: emulated.sort((a, b) => a.line.n - b.line.n), report }
}

function reasonNotToCompare({ status, compare, incomplete, why }: CallLine): string | undefined {
  if (status === null || compare === 'not' || incomplete) return why ?? 'it is not complete'
  return UNAVAILABLE.has(status) ? 'the upstream was not able to answer' : undefined
}

/** Things that worlds do not have: only that there is none, and calls without a valid token, can be compared. */
const NOT_LEARNED = /\{(billing_info|picture|attachment)_id\}|\/billing_info$/
/** Paths of one sale: a 403 does not show which users it belongs to. */
const OF_A_SALE = /\{(order|pack|payment|feedback|shipment|claim|message)_id\}/

const reasonNotKnown = ({ template, isWrite, answer: { status } }: RecordedCall): string | undefined => {
  if (isWrite) return undefined
  if (NOT_LEARNED.test(template) && (status < 300 || status === 403)) return 'bills, pictures and files are not learned'
  return OF_A_SALE.test(template) && status === 403 ? 'whose it is was not learned' : undefined
}

/** Ids in a path as `{id}`. */
function addNotEmulated(all: Report['not_emulated'], { method, target }: CallLine): void {
  const path = target
    .split('?')[0]!
    .split('/')
    .map((segment) => (/\d/.test(segment) && !/^v\d+$/.test(segment) ? '{id}' : segment))
    .join('/')
  const known = all.find((one) => one.method === method && one.path === path)
  if (known) known.calls++
  else all.push({ method, path, calls: 1 })
}

function groupDifferences(different: readonly ExplainedCall[]): ReportedDifference[] {
  const groups = new Map<string, ReportedDifference>()
  for (const { call, differences, proposals, violated } of different)
    for (const difference of differences) {
      const { n, method, target } = call.line
      const proposal = proposals.get(keyOf(difference)) ?? null
      const route = `${call.method} ${call.template}`
      const { kind, place, recorded, answered } = difference
      const texts = kind === 'status' || kind === 'text' ? `${recorded} ${answered}` : ''
      const key = [route, kind, place, texts, proposal].join('|')
      const rule = ruleOfDifference(call, difference, { proposal, violated })
      const group = groups.get(key) ?? {
        ...difference,
        ...{ route, rule, assumptions: ruleOf(rule).assumptions, proposal, calls: 0, examples: [] },
      }
      groups.set(key, group)
      group.calls++
      if (group.examples.length < MAX_EXAMPLES) group.examples.push({ n, method, target })
    }
  return [...groups.values()].sort((a, b) => b.calls - a.calls)
}
