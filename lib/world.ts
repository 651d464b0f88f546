import { ControlError, control } from './control.ts'
import { isoOf } from './instants.ts'
import { createTargets } from './receiver.ts'
import type { TestWorld, WorldOptions } from './types.ts'
import { worldMethods } from './world_methods.ts'

/** Seconds after which the server deletes a world whose test was killed. */
const LEASE_S = 3600

/** Creates a world on a running server. Throws a TypeError for a missing address, a ControlError if the call fails. */
export async function createWorld(options: WorldOptions = {}): Promise<TestWorld> {
  const {
    url = process.env.MERCADITO_URL,
    adminToken = process.env.MERCADITO_ADMIN_TOKEN,
    scenario = 'demo',
    now,
    ...content
  } = options
  if (!url)
    throw new TypeError('createWorld: url is missing; set MERCADITO_URL, or run the tests with `mercadito exec -- …`')
  const creator = control(url, { adminToken })
  const server = creator.world(1)
  const instant = now === undefined ? {} : { now: isoOf('createWorld: now', now) }
  const body = { ...content, ...instant, scenario, expires_in: LEASE_S }
  // At the address that it was given: `exec` reviews all worlds that are created there.
  const ready = await creator.call('POST /worlds', { body })
  const client = server.world(ready.world.id)
  const targets = createTargets()

  const remove = async () => {
    targets.close()
    await server.call('DELETE /worlds/{id}', { path: { id: ready.world.id } }).catch((error) => {
      // It has expired.
      if (!(error instanceof ControlError && error.status === 404)) throw error
    })
  }
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= remove()
    return closing
  }
  return {
    ...ready,
    ...worldMethods(client, ready),
    async notify(target, setting = {}) {
      const callback_url = await targets.urlOf(target)
      const path = { id: ready.application.id }
      return client.call('PUT /applications/{id}/notifications', { path, body: { ...setting, callback_url } })
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
