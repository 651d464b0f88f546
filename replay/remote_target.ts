import { createReadStream } from 'node:fs'
import type { WorldInfo } from '../control/worlds/world_info.ts'
import { path } from '../domains/shared/commands.ts'
import { type ClientOptions, createClient } from '../lib/cli/client.ts'
import { readTrusted } from '../lib/cli/client_tls.ts'
import { createSender } from './send.ts'
import type { Target } from './target.ts'

/** A killed replay leaves worlds for this time, seconds. */
const EXPIRES_IN = 3600

/**
 * Worlds of its own on a running server, perhaps of another version. Notifications go to the inbox of each world. `user`
 * is named as their creator.
 */
export function openRemoteTarget(base: string, user: string, options: ClientOptions): Target {
  const { server } = createClient(base, options)
  const sender = createSender(server.base, options.ca === undefined ? undefined : readTrusted(options.ca))
  const worlds = new Map<number, number>()
  const clientOf = (world: number) => createClient(`${server.base}/w/${worlds.get(world)}`, options)
  const prefixOf = (world: number | null) => `/w/${(world !== null && worlds.get(world)) || 0}`
  const authorization = options.adminToken === undefined ? {} : { authorization: `Bearer ${options.adminToken}` }
  return {
    hasOtherIds: true,
    hasReceivers: false,
    async load({ world }, file) {
      if (!worlds.has(world)) {
        const created: WorldInfo = await server.call('POST /worlds', {
          scenario: 'empty',
          expires_in: EXPIRES_IN,
          created_by: `replay by ${user}`,
        })
        worlds.set(world, created.world.id)
      }
      const stream = createReadStream(file)
      await clientOf(world).call('PUT /world', { stream, type: 'application/json' })
    },
    send: (world, call) => sender.send({ ...call, target: prefixOf(world) + call.target }),
    // The token of the recording is not one of this server.
    sendControl: (world, { headers: { authorization: _, ...headers }, ...call }) =>
      sender.send({ ...call, headers: { ...headers, ...authorization }, target: prefixOf(world) + call.target }),
    async control(world, call, body) {
      await clientOf(world).call(call, body)
    },
    async close() {
      sender.close()
      for (const id of worlds.values()) await server.request(path`DELETE /worlds/${id}`)
    },
  }
}
