import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { migrationCount } from '../db/migrate.ts'
import { Unavailable } from '../db/world.ts'
import { errorBody } from '../http/errors/error_handler.ts'
import { unavailable } from '../http/errors/errors.ts'
import { stateOf } from '../http/request_state.ts'
import type { Sharing } from '../http/sharing.ts'
import sendingOn, { createSender, type Sender, sentOnMetric } from './requests/sending_on.ts'
import { openSharedWorlds, type SharedWorlds } from './storage/shared_worlds.ts'

interface ClusterOptions {
  /** `postgres://user:password@host/database`, where the worlds are; the folder has copies of some. */
  url: string
  /** Ms after which other servers take over the worlds of one that is gone. */
  leaseMs: number
  /** The address at which other servers reach this one; null: they do not. */
  advertise: string | null
  /** Some proxies are trusted: servers count as such, and say where a request came from. */
  isBehindProxy?: boolean
  /** Version of the world files; default: that of this program (tests). */
  format?: number
}

/** Has a server share its worlds with others. */
export function shareWorlds(options: ClusterOptions): Sharing {
  const { url: databaseUrl, leaseMs, advertise, isBehindProxy = false, format = migrationCount() } = options
  let shared: SharedWorlds
  let sender: Sender | undefined
  return {
    async openWorlds(folder, _mode, populate, { onError = () => {}, ...rest }) {
      // A world that another server has is no fault.
      const onFault = (error: Error) => void (error instanceof Unavailable || onError(error))
      shared = await openSharedWorlds(folder, populate, {
        ...rest,
        ...{ databaseUrl, leaseMs, url: advertise, format, onError: onFault },
      })
      return shared.worlds
    },
    register(server, worlds) {
      server.register(storedAnswers)
      sender ??= createSender({ ...shared, worlds, ownUrl: advertise ?? undefined, isBehindProxy })
      server.register(sendingOn, { sender })
    },
    metrics: () => [
      sentOnMetric(sender!),
      { kind: 'gauge', name: 'mercadito_worlds_owned', help: 'Worlds that this server has', read: shared.owned },
      {
        kind: 'gauge',
        name: 'mercadito_lease_seconds',
        help: 'Time for which this server may answer, unless it renews its lease',
        read: shared.leaseSeconds,
      },
    ],
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Has each answer wait until the commits that it has seen are stored: another server may continue without others. */
const storedAnswers = fp(
  async (app) => {
    app.addHook('onSend', (request, reply, payload, done) => {
      const { world } = request
      const stored = world?.whenStored()
      const answer = () => done(null, world?.isBroken() ? refuse(request, reply, payload) : payload)
      if (stored) stored.then(answer, answer)
      else answer()
    })
  },
  { name: 'stored answers', dependencies: ['traffic'] },
)

/** Answers with 503 in place of an answer that another server may contradict. Returns the body. */
function refuse(request: FastifyRequest, reply: FastifyReply, payload: unknown): string {
  if (payload instanceof Readable) payload.destroy()
  const error = unavailable()
  stateOf(request.raw).violation = error.violation
  reply.code(error.statusCode).headers(error.headers!).removeHeader('content-length').type(JSON_TYPE)
  return JSON.stringify(errorBody(request, error))
}
