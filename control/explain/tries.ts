import type { FastifyInstance } from 'fastify'
import { KeyedMutex } from '../../db/semaphore.ts'
import type { World } from '../../db/world.ts'
import type { Worlds } from '../../db/worlds.ts'
import type { Violation } from '../../http/errors/answered_error.ts'
import type { Paths } from '../../http/paths.ts'
import { type CallModel, matchCall } from './call_model.ts'
import { type Search, searchFix } from './fix.ts'
import { Session } from './session.ts'
import type { NoFix } from './texts.ts'

/** Values of a field that exist in the world, and a call that works. */
export interface Tried {
  found: readonly unknown[]
  search: Search | NoFix
}
export type Tries = (world: World, call: CallModel, violation: Violation, field: string | undefined) => Promise<Tried>

/** Explanations that are tried at the same time, in all worlds: each has a copy of its world on the disk. */
const MAX_COPIES = 4

/** Tries calls on copies of worlds, for one explanation of each world at a time. */
export function createTries(
  app: Pick<FastifyInstance, 'routing'>,
  { worlds, paths }: { worlds: Worlds; paths: Paths },
): Tries {
  const mutex = new KeyedMutex<World>(MAX_COPIES)
  const tryCall: Tries = async (world, call, violation, field) => {
    const tried = await worlds.copies.use(world.id, async (copy, number): Promise<Tried> => {
      const session = new Session(app, paths, copy, number)
      const { route } = matchCall(paths, call)
      const values = field === undefined ? undefined : route?.config?.checks?.values?.[field]
      const found = (await values?.(session.contextOf(call))) ?? []
      return { found: found.filter((value) => value !== undefined), search: await searchFix(session, call, violation) }
    })
    return tried ?? { found: [], search: 'too_large' }
  }
  return (world, ...given) => mutex.run(world, () => tryCall(world, ...given))
}
