import type { Q } from '../../db/engine.ts'
import { TOPICS } from '../../db/schema/outbox.ts'
import type { World } from '../../db/world.ts'
import type { OnFault } from '../../plugins/errors.ts'
import { firstApplication } from '../oauth/queries.ts'
import type { ProfileName } from './profiles.ts'
import { settingOf } from './queries.ts'
import { setSetting } from './setting_operations.ts'

/** What a person who starts a server wants told, and where. */
export interface Standing {
  /** As `readTarget` normalised it. */
  callback_url: string
  profile: ProfileName
}

/**
 * Has a world's first application told of everything. A reset goes back to a state in which nobody was told, and a wish
 * of the start holds for as long as the server runs: so each later state of the world that tells nobody is given it
 * again.
 */
export function standing(onFault: OnFault) {
  let wish: Standing | undefined
  let life: World['life'] | undefined

  const write = (world: World, given: Standing, always: boolean) =>
    world.tx(async (q: Q) => {
      const application = await firstApplication(q)
      // A world that was laid out from a file may have none.
      if (!application || (!always && (await settingOf(q, application.id)))) return
      await setSetting(q, {
        ...given,
        application_id: application.id,
        topics: JSON.stringify(TOPICS),
        overrides: '{}',
      })
    })

  return {
    /** Whatever the world has been told before. */
    set(world: World, given: Standing): Promise<void> {
      wish = given
      life = world.life
      return write(world, given, true)
    },
    /** A state of the world was opened; one that is known stays as it is: its setting may have been taken back. */
    renew(world: World): void {
      if (!wish || world.life === life) return
      life = world.life
      write(world, wish, false).catch(onFault)
    },
  }
}
