import type { Q } from '../../../db/engine.ts'
import type { World } from '../../../db/world.ts'
import { acquireHere, DEFAULT_WORLD, type Worlds } from '../../../db/worlds.ts'
import type { OnFault } from '../../../http/errors/error_handler.ts'
import { firstApplication } from '../../oauth/queries.ts'
import { TOPICS } from '../../shared/topics.ts'
import { settingOf } from '../queries.ts'
import { setSetting } from './operations.ts'
import type { ProfileName } from './profiles.ts'

/** A subscription given on the command line or in the options of the server. */
export interface StartupSubscription {
  /** As normalised by `parseCallback`. */
  callback_url: string
  profile: ProfileName
}

/**
 * Subscribes the first application of the default world to all topics. A reset or restore discards the setting, but the
 * startup subscription lasts as long as the server runs: every new generation without a setting gets it again.
 */
export function createStartupSubscription(worlds: Worlds, onFault: OnFault) {
  let current: StartupSubscription | undefined
  let generation: World['generation'] | undefined
  const pending = new Set<Promise<void>>()

  const store = (world: World, subscription: StartupSubscription, overwrite: boolean) =>
    world.tx(async (q: Q) => {
      const application = await firstApplication(q)
      // A world that was imported from a file may have none.
      if (!application || (!overwrite && (await settingOf(q, application.id)))) return
      await setSetting(q, {
        ...subscription,
        application_id: application.id,
        topics: JSON.stringify(TOPICS),
        overrides: '{}',
      })
    })

  return {
    /** Overwrites the present setting. While the world cannot be used here, it gets the subscription when it is opened. */
    async set(subscription: StartupSubscription): Promise<void> {
      const world = await acquireHere(worlds, DEFAULT_WORLD)
      current = subscription
      generation = world?.generation
      if (world) await store(world, subscription, true).finally(() => worlds.release(world))
    },
    /** A world was opened. A known generation is left alone: its setting may have been deleted on purpose. */
    reapply(world: World): void {
      if (!current || world.id !== DEFAULT_WORLD || world.generation === generation) return
      generation = world.generation
      // Its state may be replaced, or the server closed, before the setting is stored.
      worlds.retain(world)
      const stored = store(world, current, false)
        .catch(onFault)
        .finally(() => {
          worlds.release(world)
          pending.delete(stored)
        })
      pending.add(stored)
    },
    /** Resolves when no setting remains to be stored. */
    close: () => Promise.all(pending),
  }
}
