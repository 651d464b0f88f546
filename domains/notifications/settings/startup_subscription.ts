import type { Q } from '../../../db/engine.ts'
import type { World } from '../../../db/world.ts'
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
 * Subscribes the first application of a world to all topics. A reset or restore discards the setting, but the startup
 * subscription lasts as long as the server runs: every new generation of the world without a setting gets it again.
 */
export function createStartupSubscription(onFault: OnFault) {
  let current: StartupSubscription | undefined
  let generation: World['generation'] | undefined

  const apply = (world: World, subscription: StartupSubscription, overwrite: boolean) =>
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
    /** Overwrites the present setting. Without a world, the next one that is opened gets it. */
    async set(world: World | undefined, subscription: StartupSubscription): Promise<void> {
      current = subscription
      generation = world?.generation
      if (world) await apply(world, subscription, true)
    },
    /** A world was opened. A known generation is left alone: its setting may have been deleted on purpose. */
    reapply(world: World): void {
      if (!current || world.generation === generation) return
      generation = world.generation
      apply(world, current, false).catch(onFault)
    },
  }
}
