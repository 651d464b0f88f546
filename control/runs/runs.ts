import { Semaphore } from '../../db/semaphore.ts'
import type { World } from '../../db/world.ts'
import type { Worlds } from '../../db/worlds.ts'
import type { Language } from '../../http/errors/checks.ts'
import type { Journals } from '../../http/journal/journals.ts'
import type { Paths } from '../../http/paths.ts'
import { addSeen, auditWorld, nothingSeen, type Seen } from '../audit/audit_world.ts'
import { explainRequest } from '../explain/explanation.ts'
import type { TryCall } from '../explain/fix.ts'
import type { Explanation } from '../explain/schemas.ts'

/** Explained calls of one run. */
export const MAX_EXPLAINED = 10
const MAX_RUNS = 100

interface Refused {
  world: { id: number; name: string | null }
  /** Real time of the call, ms. */
  at: number
  explanation: Explanation
}

/** What was seen in the worlds of a run; of each no more than when it was looked at. */
interface Review {
  seen: Seen
  /** The number of refused calls. */
  refused: number
  /** The latest of them, in order. */
  explanations: Refused[]
}

interface Run {
  /** The world that it was begun in. */
  root: number
  /** Language of the explanations; undefined: there are none. */
  explain: Language | undefined
  /** Those that are not reviewed yet, without `root`. */
  worlds: Set<number>
  /** What was seen in states that have ended. */
  ended: Review
  /** No world is looked at twice. */
  mutex: Semaphore
}

/** The runs of programs: each is a world with all worlds that are created at its address. In bounded memory. */
export interface Runs {
  /** Begins a run in a world, and forgets the one that was begun there. */
  begin(root: number, explain: Language | undefined): void
  /** Reviews a run; undefined if none was begun in this world. */
  review(root: number): Promise<Review | undefined>
  /** Adds a world to the run of the one at whose address it is created. */
  add(parent: number, id: number): void
  /** Reviews a world of a run before its journal ends. */
  beforeEnd(id: number): Promise<void>
  /** The same before a world is removed. */
  beforeRemoval(id: number): Promise<void>
}

interface RunsOptions {
  worlds: Worlds
  journals: Journals
  paths: Paths
  tryCall: TryCall
}

const nothing = (): Review => ({ seen: nothingSeen(), refused: 0, explanations: [] })

export function openRuns({ worlds, journals, paths, tryCall }: RunsOptions): Runs {
  /** By their worlds, `root` among them. */
  const runs = new Map<number, Run>()

  function forget(run: Run): void {
    for (const id of [run.root, ...run.worlds]) if (runs.get(id) === run) runs.delete(id)
  }

  /** Adds what is known of a world to a review. A world that cannot be looked at is counted. */
  async function look(id: number, { explain }: Run, review: Review): Promise<void> {
    try {
      const world = await worlds.acquire(id)
      if (world) return await lookAt(world, explain, review).finally(() => worlds.release(world))
    } catch {
      // Its file is damaged, or it cannot be used here.
    }
    const { unknown } = review.seen
    unknown.set('worlds_lost', (unknown.get('worlds_lost') ?? 0) + 1)
  }

  async function lookAt(world: World, explain: Language | undefined, review: Review): Promise<void> {
    const place = { id: world.id, name: worlds.describe([world.id])[0]!.name }
    const journal = journals.of(world.generation)
    const refused = journal.requests.values().filter(({ status }) => status !== null && status >= 400 && status < 500)
    const explanations: Refused[] = []
    if (explain)
      for (const entry of refused.slice(-MAX_EXPLAINED)) {
        const explanation = await explainRequest(entry, { world, paths, language: explain, tryCall })
        explanations.push({ world: place, at: entry.at, explanation })
      }
    addSeen(review.seen, place, await auditWorld(world, journal, { paths }))
    review.refused += refused.length
    const all = [...review.explanations, ...explanations].sort((a, b) => a.at - b.at)
    review.explanations = all.slice(-MAX_EXPLAINED)
  }

  function beforeEnd(id: number): Promise<void> {
    const run = runs.get(id)
    return run ? run.mutex.run(() => look(id, run, run.ended)) : Promise.resolve()
  }

  return {
    begin(root, explain) {
      const previous = runs.get(root)
      if (previous?.root === root) forget(previous)
      const all = [...new Set(runs.values())]
      for (const run of all.slice(0, Math.max(0, all.length + 1 - MAX_RUNS))) forget(run)
      runs.set(root, { root, explain, worlds: new Set(), ended: nothing(), mutex: new Semaphore() })
    },
    async review(root) {
      const run = runs.get(root)
      if (run?.root !== root) return undefined
      return run.mutex.run(async () => {
        const review = structuredClone(run.ended)
        const living = [root, ...run.worlds]
        for (const id of living) await look(id, run, review)
        review.seen.audited.worlds! += living.length
        return review
      })
    },
    add(parent, id) {
      const run = runs.get(parent)
      if (!run) return
      run.worlds.add(id)
      runs.set(id, run)
    },
    beforeEnd,
    async beforeRemoval(id) {
      const run = runs.get(id)
      if (!run) return
      if (run.root === id) return forget(run)
      await run.mutex.run(async () => {
        if (!run.worlds.delete(id)) return
        runs.delete(id)
        await look(id, run, run.ended)
        run.ended.seen.audited.worlds!++
      })
    },
  }
}
