import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import type { Folder } from './db/folders.ts'
import { openWorlds, type Worlds } from './db/worlds.ts'
import { registerDomains } from './domains/index.ts'
import { holderOf } from './domains/oauth/queries.ts'
import { readAddress } from './plugins/address.ts'
import auth from './plugins/auth.ts'
import bodies, { BODY_LIMIT } from './plugins/bodies.ts'
import cors from './plugins/cors.ts'
import describe from './plugins/describe.ts'
import { answerBrokenRequest, answerErrors, asRefusal, type OnFault, standardError } from './plugins/errors.ts'
import jsonp, { asScript } from './plugins/jsonp.ts'
import { pathBook } from './plugins/paths.ts'
import projection from './plugins/projection.ts'
import { serializerCompiler, validatorCompiler } from './plugins/validation.ts'
import worldsPlugin from './plugins/worlds.ts'
import { layOut, type Start } from './scenarios/index.ts'

export interface Options extends Start {
  folder: Folder
  mode: Worlds['mode']
  /** Told of every fault that is not a refusal. */
  onFault: OnFault
  /** Runs before the plugins, for what must see every route (the OpenAPI generator). */
  before?: (app: FastifyInstance) => void
}

export interface App {
  server: FastifyInstance
  worlds: Worlds
}

/** Puts the server together; the caller listens, or injects, and closes `server`. */
export async function build({ folder, mode, onFault, before, ...start }: Options): Promise<App> {
  const worlds = await openWorlds(folder, mode, (file, id) => layOut(file, id, start))
  const paths = pathBook()
  const server = Fastify({
    bodyLimit: BODY_LIMIT,
    rewriteUrl: readAddress,
    // Longer ones are answered by the resource's own 404, not by the router.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1024 * 1024 },
    return503OnClosing: false,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors(error, request, reply) {
      const told = asRefusal(error, onFault)
      const body = JSON.stringify(standardError(told))
      const answer = reply as FastifyReply
      answer
        .code(told.statusCode)
        .headers({ 'access-control-allow-origin': '*', 'content-type': 'application/json; charset=utf-8' })
      const { callback } = request.raw
      answer.send(callback === undefined ? body : asScript(callback, answer, body))
    },
  })
  server.setValidatorCompiler(validatorCompiler)
  server.setSerializerCompiler(serializerCompiler)
  server.setErrorHandler(answerErrors(onFault))
  server.addHook('onClose', async () => worlds.close())

  before?.(server)
  server.register(cors)
  server.register(worldsPlugin, { worlds })
  server.register(projection)
  server.register(jsonp)
  server.register(auth, { callerOf: holderOf })
  server.register(bodies)
  server.register(describe, { paths })
  registerDomains(server, { worlds, onFault })
  await server.ready()
  return { server, worlds }
}
