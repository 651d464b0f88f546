import type { WorldInfo } from '../../control/worlds/world_info.ts'
import type { Client } from '../../domains/shared/commands.ts'
import type { Language } from '../../http/errors/checks.ts'
import type { AnswerOf } from '../../lib/types.ts'
import type { Variables } from '../world_variables.ts'

/** A text for people, in each language. */
export type Text = Record<Language, string>

/** A recorded call of the program, with its answer. */
export type Call = AnswerOf<'GET /requests'>['results'][number]

/** What a drill works with. */
export interface DrillWorld {
  world: WorldInfo
  /** Of control calls. */
  client: Client
  /** Where the program receives notifications, from `--callback`. */
  callback: string | undefined
  /** The calls so far, in order. */
  calls(): Promise<Call[]>
  /** Resolves with what `find` finds, tried again and again; undefined when the program ends before. */
  until<T>(find: () => Promise<T | undefined>): Promise<T | undefined>
  /** Resolves with the first call of the program that matches; undefined when the program ends before. */
  next(matches: (call: Call) => boolean): Promise<Call | undefined>
  /** What happened at a real time, for `judge`: the calls after it. */
  mark(): Promise<void>
  /** Values that `prepare` and `act` leave for `judge`. */
  notes: Record<string, unknown>
}

/** One thing that a right program does; `passed` null: the program never came to it. */
export interface Check {
  text: Text
  /** From the calls after the mark; without one, from all. */
  passed(calls: Call[], notes: DrillWorld['notes']): boolean | null
}

export interface Drill {
  name: string
  /** What happens. */
  title: Text
  needsCallback?: true
  /** Sets the world up; resolves with variables for the program, beyond those of `exec`. */
  prepare?(drill: DrillWorld): Promise<Variables | undefined>
  /** Acts while the program runs. */
  act?(drill: DrillWorld): Promise<void>
  checks: Check[]
}

export interface Verdict {
  drill: string
  title: string
  /** `unseen`: the program never met what the drill is about. */
  verdict: 'passed' | 'failed' | 'unseen'
  checks: { text: string; verdict: 'passed' | 'failed' | 'unseen' }[]
  calls: number
  exit_code: number
}

/** Judges the calls of a program that has ended. A drill is passed if all its checks are, and failed if one is. */
export async function judge(drill: Drill, at: DrillWorld, exit_code: number, language: Language): Promise<Verdict> {
  const all = await at.calls()
  const since = all.filter(({ id }) => id > (Number(at.notes.mark) || 0))
  const checks = drill.checks.map(({ text, passed }) => {
    const result = passed(since, at.notes)
    return { text: text[language], verdict: result === null ? 'unseen' : result ? 'passed' : 'failed' } as const
  })
  const has = (verdict: string) => checks.some((check) => check.verdict === verdict)
  const verdict = has('failed') ? 'failed' : has('unseen') ? 'unseen' : 'passed'
  return { drill: drill.name, title: drill.title[language], verdict, checks, calls: all.length, exit_code }
}

const POLL_MS = 50
const PAGE = 1000

/** `isOver`: the program has ended. */
export function drillWorld(
  world: WorldInfo,
  client: Client,
  { callback, isOver }: { callback: string | undefined; isOver: () => boolean },
): DrillWorld {
  const notes: DrillWorld['notes'] = {}
  const all: Call[] = []
  /** Reads those that have come since. */
  const calls = async () => {
    for (;;) {
      const query = { order: 'asc', limit: PAGE, since: all.at(-1)?.id }
      const { results }: AnswerOf<'GET /requests'> = await client.get('/requests', query)
      // Another reader may have added them in the meantime.
      all.push(...results.filter(({ id }) => id > (all.at(-1)?.id ?? 0)))
      if (results.length < PAGE) return all
    }
  }
  async function until<T>(find: () => Promise<T | undefined>): Promise<T | undefined> {
    for (;;) {
      const over = isOver()
      const found = await find()
      if (found !== undefined || over) return found
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
  return {
    ...{ world, client, callback, calls, until, notes },
    next: (matches) => until(async () => (await calls()).find(matches)),
    async mark() {
      notes.mark = (await calls()).at(-1)?.id ?? 0
    },
  }
}
