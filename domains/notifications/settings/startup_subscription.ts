import type { Q } from '../../../db/engine.ts'
import type { World } from '../../../db/world.ts'
import type { OnFault } from '../../../http/error_handler.ts'
import { firstApplication } from '../../oauth/queries.ts'
import { TOPICS } from '../../shared/topics.ts'
import { settingOf } from '../queries.ts'
import { setSetting } from './operations.ts'
import type { ProfileName } from './profiles.ts'

/** What a person who starts a server wants told, and where. */
export interface StartupSubscription {
  /** As `readTarget` normalised it. */
  callback_url: string
  profile: ProfileName
}

/**
 * Has a world's first application told of everything. A reset goes back to a state in which nobody was told, and a wish
 * of the start holds for as long as the server runs: so each later state of the world that tells nobody is given it
 * again.
 */
export function createStartupSubscription(onFault: OnFault) {
  let current: StartupSubscription | undefined
  let generation: World['generation'] | undefined

  const apply = (world: World, subscription: StartupSubscription, overwrite: boolean) =>
    world.tx(async (q: Q) => {
      const application = await firstApplication(q)
      // A world that was laid out from a file may have none.
      if (!application || (!overwrite && (await settingOf(q, application.id)))) return
      await setSetting(q, {
        ...subscription,
        application_id: application.id,
        topics: JSON.stringify(TOPICS),
        overrides: '{}',
      })
    })

  return {
    /** Whatever the world has been told before. */
    set(world: World, subscription: StartupSubscription): Promise<void> {
      current = subscription
      generation = world.generation
      return apply(world, subscription, true)
    },
    /** A state of the world was opened; one that is known stays as it is: its setting may have been taken back. */
    reapply(world: World): void {
      if (!current || world.generation === generation) return
      generation = world.generation
      apply(world, current, false).catch(onFault)
    },
  }
}
